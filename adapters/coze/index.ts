// Coze bots, API v3: streamed by events, or made in the background and asked for. Source: docs.coze.cn, "Chat v3";
// coze-dev/coze-py, cozepy/chat/__init__.py (message types, states, events).
import { ChannelFault, defineAdapter } from '#core'
import { classify } from './failures.ts'
import { cozeModels } from './models.ts'
import { readAnswer } from './read-answer.ts'
import { send } from './send.ts'
import { StreamReader } from './stream-reader.ts'
import { sendAndWait } from './transport.ts'

export default defineAdapter({
  id: 'coze',
  channelTypes: { 49: 'Coze' },
  baseUrl: 'https://api.coze.cn',
  models: cozeModels,
  mark: 'coze',
  picker: {
    section: 'china',
    zh: '扣子 Coze',
    aliases: ['字节跳动', 'ByteDance', 'bot', '智能体'],
  },
  summary: 'Bots on Coze; the bot decides the model, names are labels only.',
  operations: { chat: { send, readAnswer, streamReader: () => new StreamReader() } },
  form: {
    key: { en: 'Personal access token (pat_…).', zh: '个人访问令牌（pat_…）。' },
    baseUrl: {
      help: {
        en: 'Blank for mainland China; https://api.coze.com for the international platform.',
        zh: '留空表示中国大陆平台；国际平台请填写 https://api.coze.com。',
      },
    },
    other: { label: { en: 'Bot ID', zh: '智能体 ID' }, required: true },
  },
  checkChannel({ other }) {
    if (other === '')
      throw new ChannelFault('invalid_channel_setting', {
        en: 'This channel type needs a bot id.',
        zh: '此类型的渠道必须填写智能体 ID。',
      })
  },
  transport: sendAndWait,
  classify,
})
