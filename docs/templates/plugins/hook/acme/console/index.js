// The words of the options on the settings page.
export default {
  texts: {
    en: {
      sections: { 'acme': 'Acme' },
      options: { AcmeWords: 'Refused words' },
      optionHelp: { AcmeWords: 'One a line; letter case does not matter.' },
    },
    zh: {
      sections: { 'acme': 'Acme' },
      options: { AcmeWords: '拒绝词' },
      optionHelp: { AcmeWords: '每行一个，不区分大小写。' },
    },
  },
}
