// The words of the options on the settings page.
export default {
  texts: {
    en: {
      sections: { tilla: 'Tilla' },
      sectionHints: { tilla: 'Offered in the wallet as soon as shop, key and notice secret are set.' },
      options: {
        TillaAddress: 'Address of Tilla',
        TillaShop: 'Shop number',
        TillaKey: 'API key',
        TillaNoticeSecret: 'Notice secret',
        TillaCurrency: 'Currency',
        TillaUnitPrice: 'Price of one unit',
      },
      optionHelp: {
        TillaNoticeSecret: 'Enter <address of this site>/api/user/tilla/notify at Tilla; it shows the secret then.',
      },
      optionChoices: { TillaCurrency: { EUR: 'Euro', USD: 'US dollar', JPY: 'Yen' } },
    },
    zh: {
      sections: { tilla: 'Tilla' },
      sectionHints: { tilla: '填写商户号、API 密钥和通知密钥后，将在钱包中提供。' },
      options: {
        TillaAddress: 'Tilla 地址',
        TillaShop: '商户号',
        TillaKey: 'API 密钥',
        TillaNoticeSecret: '通知密钥',
        TillaCurrency: '币种',
        TillaUnitPrice: '单位价格',
      },
      optionHelp: {
        TillaNoticeSecret: '在 Tilla 后台填写“<本站地址>/api/user/tilla/notify”后即可看到该密钥。',
      },
      optionChoices: { TillaCurrency: { EUR: '欧元', USD: '美元', JPY: '日元' } },
    },
  },
}
