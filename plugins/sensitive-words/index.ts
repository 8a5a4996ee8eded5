import { defineOptions, definePlugin, Type } from '#core'
import { createWordCheck } from './word-check.ts'

const section = { tab: 'operation', section: 'words' }

export default definePlugin({
  id: 'sensitive-words',
  summary: { en: 'Refuses prompts that hold a listed word', zh: '拒绝包含敏感词的提示词' },
  options: defineOptions({
    CheckSensitiveEnabled: Type.Boolean({ default: true, 'x-ui': section }),
    CheckSensitiveOnPromptEnabled: Type.Boolean({
      default: true,
      'x-ui': { ...section, showIf: { CheckSensitiveEnabled: true } },
    }),
    SensitiveWords: Type.String({
      default: '',
      'x-ui': { ...section, widget: 'lines', showIf: { CheckSensitiveEnabled: true } },
    }),
    // Older consoles set it for answers. Answers are not checked, so it has no effect.
    StopOnSensitiveEnabled: Type.Boolean({ default: true, 'x-ui': { ...section, hidden: true } }),
  }),
  server({ relayHooks, options, log }) {
    relayHooks.add(createWordCheck({ options, log }))
  },
})
