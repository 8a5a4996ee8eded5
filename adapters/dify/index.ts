// Dify applications. Source: docs.dify.ai, API reference of the four kinds of apps; langgenius/dify, api/controllers/service_api/app/error.py.
import { defineAdapter } from '#core'
import { kindOf } from './app-kind.ts'
import { classify } from './failures.ts'
import { readAnswer } from './read-answer.ts'
import { send } from './send.ts'
import { StreamReader } from './stream-reader.ts'

export default defineAdapter({
  id: 'dify',
  channelTypes: { 37: 'Dify' },
  baseUrl: 'https://api.dify.ai',
  models: [],
  mark: 'dify',
  picker: { section: 'self-hosted', aliases: ['workflow', '工作流', '智能体', 'agent'] },
  summary:
    'Applications of Dify: chatbots, agents, completions and workflows; the app decides the model.',
  operations: {
    chat: { send, readAnswer, streamReader: ({ channel }) => new StreamReader(kindOf(channel)) },
  },
  form: {
    key: { en: 'The key of one application (app-…).', zh: '单个应用的密钥（app-…）。' },
    other: {
      label: { en: 'Application kind', zh: '应用类型' },
      help: {
        en: 'chat (or empty), agent, completion or workflow.',
        zh: 'chat（或留空）、agent、completion 或 workflow。',
      },
    },
  },
  checkChannel: (channel) => void kindOf(channel),
  classify,
})
