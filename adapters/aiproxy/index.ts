// AI Proxy knowledge bases: questions to a library of documents. Source: songquanpeng/one-api, relay/adaptor/aiproxy; the service is presumably gone.
import { ChannelFault, defineAdapter } from '#core'
import { classify, readError } from './failures.ts'
import { readAnswer } from './read-answer.ts'
import { send } from './send.ts'
import { StreamReader } from './stream-reader.ts'

export default defineAdapter({
  id: 'aiproxy',
  channelTypes: { 21: 'AI Proxy' },
  baseUrl: 'https://api.aiproxy.io',
  models: ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'gpt-4.1-mini', 'gpt-3.5-turbo'],
  picker: { aliases: ['知识库', 'library'] },
  summary: 'Knowledge bases of AI Proxy: the last message is asked of a library.',
  operations: { chat: { send, readAnswer, streamReader: () => new StreamReader() } },
  form: {
    other: { label: { en: 'Knowledge base ID', zh: '知识库 ID' } },
  },
  checkChannel({ other }) {
    if (other === '')
      throw new ChannelFault('invalid_channel_setting', {
        en: 'This channel type needs a library id.',
        zh: '此类型的渠道必须填写知识库 ID。',
      })
  },
  readError,
  classify,
})
