// Zhipu ChatGLM, API v3: a format of its own, kept for old channels. Source: docs.z.ai, page "Error codes"; MYXHcode/chatglm-sdk-java (token).
import { defineAdapter } from '#core'
import { readAnswer } from './read-answer.ts'
import { StreamReader } from './stream-reader.ts'
import { classify } from './failures.ts'
import { send } from './send.ts'
import { idAndSecret } from './token.ts'

export default defineAdapter({
  id: 'zhipu',
  channelTypes: { 16: 'Zhipu ChatGLM' },
  baseUrl: 'https://open.bigmodel.cn',
  models: ['chatglm_turbo', 'chatglm_pro', 'chatglm_std', 'chatglm_lite'],
  mark: 'chatglm',
  makes: ['chatglm'],
  picker: {
    section: 'china',
    zh: '智谱 ChatGLM（旧版 V3）',
    aliases: ['GLM', 'BigModel', 'Zhipu'],
  },
  summary: 'ChatGLM models on the old v3 API of Zhipu.',
  operations: { chat: { send, readAnswer, streamReader: () => new StreamReader() } },
  form: { key: { en: 'The API key, id.secret.', zh: 'API Key，格式为 id.secret。' } },
  checkChannel: ({ key }) => void idAndSecret(key),
  classify,
})
