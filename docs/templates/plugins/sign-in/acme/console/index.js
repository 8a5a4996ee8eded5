// The words of the options on the settings page. A screen or a button of its own would stand here too (docs/guides/screen.md of Tollgate).
export default {
  texts: {
    en: {
      sections: { 'acme': 'Acme' },
      options: {
        AcmeEnabled: 'Sign in with Acme',
        AcmeAddress: 'Address of Acme',
        AcmeClientId: 'Client ID',
        AcmeClientSecret: 'Client secret',
      },
      optionHelp: { AcmeAddress: 'Without a path, e.g. https://acme.example' },
    },
    zh: {
      sections: { 'acme': 'Acme' },
      options: {
        AcmeEnabled: '使用 Acme 登录',
        AcmeAddress: 'Acme 地址',
        AcmeClientId: 'Client ID',
        AcmeClientSecret: 'Client Secret',
      },
      optionHelp: { AcmeAddress: '不含路径，例如 https://acme.example' },
    },
  },
}
