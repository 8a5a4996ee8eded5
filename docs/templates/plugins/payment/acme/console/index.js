// The words of the options on the settings page.
export default {
  texts: {
    en: {
      sections: { 'acme': 'Acme' },
      options: {
        AcmeAddress: 'Address of Acme',
        AcmeShop: 'Shop number',
        AcmeSecret: 'Secret key',
        AcmeUnitPrice: 'Price of a unit',
      },
      optionHelp: {
        AcmeSecret: 'Signs orders and notices. Without it Acme is not offered.',
        AcmeUnitPrice: 'What one US dollar of balance costs, in euros.',
      },
    },
    zh: {
      sections: { 'acme': 'Acme' },
      options: {
        AcmeAddress: 'Acme 地址',
        AcmeShop: '商户号',
        AcmeSecret: '密钥',
        AcmeUnitPrice: '单价',
      },
      optionHelp: {
        AcmeSecret: '用于订单与通知的签名；未填写时不提供 Acme 支付。',
        AcmeUnitPrice: '每 1 美元余额的售价（欧元）。',
      },
    },
  },
}
