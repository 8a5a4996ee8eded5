// Zhipu GLM, API v4: nearly the OpenAI dialect. Source: docs.bigmodel.cn and docs.z.ai, API reference and error codes.
import { defineAdapter } from '#core'
import { messagesSettings, openaiCompatible, openaiModelList } from '#adapter-kit'
import { classify } from './failures.ts'
import { fromZhipu, fromZhipuStream } from './from-zhipu.ts'
import { toZhipu } from './to-zhipu.ts'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'zhipu-v4',
  channelTypes: { 26: 'Zhipu GLM-4V' },
  baseUrl: 'https://open.bigmodel.cn',
  models: [
    'glm-5.3',
    'glm-5.3-flash',
    'glm-5.3-flashx',
    'glm-5.2',
    'glm-5.1',
    'glm-5',
    'glm-5v-turbo',
    'glm-4.7',
    'glm-4.7-flash',
    'glm-4.6',
    'glm-4.5v',
    'glm-4.5-air',
    'glm-4.5-airx',
    'embedding-3',
    'embedding-2',
    'cogview-4',
  ],
  prices,
  mark: 'zhipu',
  makes: ['glm', 'zai-', 'cogview', 'cogvideo', 'codegeex', 'charglm', 'emohaa'],
  picker: {
    section: 'china',
    zh: '智谱 GLM',
    aliases: ['GLM', 'BigModel', 'Z.ai', 'Zhipu', '智谱清言', 'CogView'],
  },
  summary: 'GLM-4 and later of Zhipu: chat, vision, embeddings, images.',
  operations: openaiCompatible({
    operations: ['embeddings', 'images.generations'],
    paths: {
      chat: '/api/paas/v4/chat/completions',
      embeddings: '/api/paas/v4/embeddings',
      'images.generations': '/api/paas/v4/images/generations',
    },
    request: { chat: toZhipu },
    answer: { chat: fromZhipu },
    chunk: fromZhipuStream,
    streamUsage: 'never',
    capabilities: () => ({ jsonSchema: false }),
    // Page "Claude Code": GLM-4.5 and later, with a bearer key. Thoughts carry no signature that another provider would take.
    messages: {
      origins: ['https://open.bigmodel.cn', 'https://api.z.ai'],
      path: '/api/anthropic',
      serves: (model) => /^glm-(?:4\.[5-9]|[5-9])/.test(model),
    },
  }),
  settings: messagesSettings,
  form: {
    key: {
      en: 'The whole API key, both of its parts: id.secret.',
      zh: '完整的 API Key，包含 id.secret 两部分。',
    },
    baseUrl: {
      help: {
        en: 'Blank for mainland China; https://api.z.ai for the international platform.',
        zh: '留空表示中国大陆平台；国际平台请填写 https://api.z.ai。',
      },
    },
  },
  classify,
  fetchModels: openaiModelList('/api/paas/v4/models'),
})
