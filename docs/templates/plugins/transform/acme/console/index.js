// The words of the options on the settings page.
export default {
  texts: {
    en: {
      sections: { 'acme': 'Acme' },
      options: { AcmeWord: 'Hidden word' },
      optionHelp: { AcmeWord: 'Upstreams get a mark in its place; answers show the word.' },
    },
    zh: {
      sections: { 'acme': 'Acme' },
      options: { AcmeWord: '隐藏词' },
      optionHelp: { AcmeWord: '上游只会收到标记，回答中会还原该词。' },
    },
  },
}
