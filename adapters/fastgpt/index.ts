// FastGPT applications speak the OpenAI dialect. Source: doc.fastgpt.io, "OpenAPI", and labring/FastGPT issues 396, 869, 3668.
import { defineAdapter } from '#core'
import { openaiCompatible, withoutDeveloperRole } from '#adapter-kit'
import { classify, readError } from './failures.ts'
import { readAnswer, readChunk } from './read-answer.ts'

export default defineAdapter({
  id: 'fastgpt',
  channelTypes: { 22: 'FastGPT' },
  baseUrl: 'https://api.fastgpt.in/api',
  models: [],
  mark: 'fastgpt',
  picker: { section: 'self-hosted', aliases: ['知识库', 'Sealos', '智能体'] },
  summary: 'Applications of a FastGPT deployment; the app decides the model.',
  operations: openaiCompatible({
    operations: [],
    request: { chat: withoutDeveloperRole },
    answer: { chat: readAnswer },
    chunk: readChunk,
    // With `detail: true`, the steps of the workflow are sent as events with other names.
    streamEvents: ['answer', 'fastAnswer', 'error'],
    streamUsage: 'client',
  }),
  form: {
    key: {
      en: 'The key of the application (fastgpt-…), not of the account.',
      zh: '应用密钥（fastgpt-…），而非账号密钥。',
    },
    baseUrl: {
      help: {
        en: 'The API root of the deployment with its path, such as http://host:3000/api.',
        zh: '部署的 API 根地址（含路径），例如 http://host:3000/api。',
      },
    },
  },
  readError,
  classify,
})
