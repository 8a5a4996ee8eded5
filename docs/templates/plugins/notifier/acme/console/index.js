// The words of the options on the settings page.
export default {
  texts: {
    en: {
      sections: { 'acme': 'Acme' },
      options: { AcmeAddress: 'Address of Acme', AcmeSecret: 'Key' },
    },
    zh: {
      sections: { 'acme': 'Acme' },
      options: { AcmeAddress: 'Acme 地址', AcmeSecret: '密钥' },
    },
  },
}
