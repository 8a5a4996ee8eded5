// SiliconFlow speaks the OpenAI dialect in chat. Source: docs.siliconflow.cn, API reference and page "Error codes".
import { defineAdapter, type AttemptContext, type Body, type ThoughtRecall } from '#core'
import {
  askWithKey,
  classTable,
  messagesSettings,
  openaiCompatible,
  openaiModelList,
  renamed,
  withoutDeveloperRole,
  withThoughtsBack,
} from '#adapter-kit'
import { fromImages, toImages } from './images.ts'
import { siliconflowModels } from './models.ts'
import { readBalance } from './read-balance.ts'
import { fromRerank } from './rerank.ts'
import prices from './prices.json' with { type: 'json' }

const classify = classTable({
  'not-found': [20012],
  'bad-request': [20015],
  throttled: [50505],
  // The page does not list this code; recorded answers say "Sorry, your account balance is insufficient".
  'insufficient-funds': [30001],
})

export default defineAdapter({
  id: 'siliconflow',
  channelTypes: { 40: 'SiliconCloud' },
  baseUrl: 'https://api.siliconflow.cn',
  models: siliconflowModels,
  mark: 'siliconcloud',
  picker: { section: 'china', zh: '硅基流动', aliases: ['SiliconFlow', 'SiliconCloud'] },
  summary: 'Open models hosted by SiliconFlow: chat, embeddings, rerank, images, speech.',
  prices,
  operations: openaiCompatible({
    operations: [
      'completions',
      'embeddings',
      'rerank',
      'images.generations',
      'audio.speech',
      'audio.transcriptions',
    ],
    request: { chat: toSiliconflow, completions: toFilling, 'images.generations': toImages },
    answer: { 'images.generations': fromImages, rerank: fromRerank },
    // Page "Create a chat request (Anthropic)": all chat models, on the platform for mainland China.
    messages: { origins: ['https://api.siliconflow.cn'], path: '' },
  }),
  settings: messagesSettings,
  countFields: ['batch_size'],
  form: {
    baseUrl: {
      help: {
        en: 'Blank for mainland China; https://api.siliconflow.com for the international platform, which has keys of its own.',
        zh: '留空表示中国大陆平台；国际平台请填写 https://api.siliconflow.com，两者的密钥不通用。',
      },
    },
  },
  classify,
  fetchModels: openaiModelList(),
  async fetchBalance(channel, http, { httpOptions, options }) {
    const body = await askWithKey(http, channel, '/v1/user/info', httpOptions)
    return readBalance(body, channel.baseUrl, options.get<number>('Price'))
  },
})

/** The limit has its older name only. Kimi's models refuse a call whose thoughts do not come with it, code 20015. */
function toSiliconflow(body: Body, _context: AttemptContext, memory?: ThoughtRecall): Body {
  const accepted = withoutDeveloperRole(renamed(body, 'max_completion_tokens', 'max_tokens'))
  const isKimi = /Kimi-K(?:2\.\d|[3-9])/.test(String(body.model))
  return isKimi && body.enable_thinking !== false ? withThoughtsBack(accepted, memory) : accepted
}

/** A text between two others is asked for with an empty message. */
function toFilling(body: Body): Body {
  const isFilling = body.prefix !== undefined || body.suffix !== undefined
  return isFilling && body.messages === undefined
    ? { ...body, messages: [{ role: 'user', content: '' }] }
    : body
}
