// LM Studio, a local server with the OpenAI dialect. Source: lmstudio.ai/docs, page "OpenAI Compatibility API".
import { defineAdapter } from '#core'
import { openaiCompatible, openaiModelList, withoutDeveloperRole } from '#adapter-kit'

export default defineAdapter({
  id: 'lm-studio',
  channelTypes: { 1007: 'LM Studio' },
  baseUrl: 'http://localhost:1234',
  models: [],
  mark: 'lmstudio',
  picker: { section: 'self-hosted', aliases: ['local', '本地'] },
  summary: 'Models on an LM Studio server of your own, loaded when they are asked for.',
  operations: openaiCompatible({ request: { chat: withoutDeveloperRole } }),
  form: {
    key: { en: 'Any text: the server asks for no key.', zh: '可填任意内容，服务器不校验密钥。' },
  },
  fetchModels: openaiModelList(),
})
