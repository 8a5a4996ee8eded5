// The words of the options on the settings page.
export default {
  texts: {
    en: {
      sections: { 'acme': 'Acme' },
      sectionHints: { 'acme': 'How people are greeted.' },
      options: {
        AcmeEnabled: 'Greet people',
        AcmeTone: 'Tone',
        AcmeText: 'Text',
      },
      optionHelp: { AcmeText: '% stands for the name of whoever is greeted.' },
      optionChoices: { AcmeTone: { plain: 'Plain', friendly: 'Friendly' } },
    },
    zh: {
      sections: { 'acme': 'Acme' },
      sectionHints: { 'acme': '向用户问好的方式。' },
      options: {
        AcmeEnabled: '向用户问好',
        AcmeTone: '语气',
        AcmeText: '文本',
      },
      optionHelp: { AcmeText: '% 代表用户的名称。' },
      optionChoices: { AcmeTone: { plain: '平实', friendly: '亲切' } },
    },
  },
}
