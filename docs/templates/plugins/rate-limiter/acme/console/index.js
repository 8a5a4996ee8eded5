// The words of the options on the settings page.
export default {
  texts: {
    en: { sections: { 'acme': 'Acme' }, options: { AcmeOpenCalls: 'Open calls of a user' } },
    zh: { sections: { 'acme': 'Acme' }, options: { AcmeOpenCalls: '每个用户同时进行的请求数' } },
  },
}
