// Parrot, a provider that nobody has: its API (README.md) is unlike any other, to show a whole chat format of one's own.
import { defineAdapter, type HttpClient, isObject, Type } from 'tollgate/contract'
import { amountOf, askJson, namesIn } from 'tollgate/adapter-kit'
import { classify, readError } from './failures.ts'
import prices from './prices.json' with { type: 'json' }
import { readAnswer } from './read-answer.ts'
import { send } from './send.ts'
import { StreamReader } from './stream-reader.ts'

export default defineAdapter({
  id: 'parrot',
  channelTypes: { 100_001: 'Parrot' },
  baseUrl: 'https://api.parrot.example',
  models: ['parrot-grey', 'parrot-macaw'],
  prices,
  makes: ['parrot-'],
  mark: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="currentColor" d="M12 2a7 7 0 0 1 7 7v3l3 1-3 2c0 4-3 7-7 7H5l3-4a9 9 0 0 1-3-6V9a7 7 0 0 1 7-7Zm2 5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3Z"/></svg>',
  picker: { section: 'popular', zh: '鹦鹉', aliases: ['Macaw', '金刚鹦鹉'] },
  summary: 'Parrot voices: chat with pictures, tools and thoughts, in their own format.',
  form: {
    key: { en: 'A key that begins with seed_.', zh: '以 seed_ 开头的密钥。' },
  },
  settings: Type.Object({
    manners: Type.Optional(
      Type.Boolean({
        default: false,
        title: 'Polite answers',
        description: 'Asks Parrot to leave out rude words.',
      }),
    ),
  }),
  operations: {
    chat: { send, readAnswer, framing: 'ndjson', streamReader: () => new StreamReader() },
  },
  classify,
  readError,
  async fetchModels({ baseUrl, key }, http, options) {
    const { voices } = await askJson(
      http,
      { url: `${baseUrl}/v2/voices`, headers: { 'x-seed': key } },
      options,
    )
    return namesIn(voices, 'name')
  },
  async fetchBalance({ baseUrl, key }, http: HttpClient, { httpOptions }) {
    const body = await askJson(
      http,
      { url: `${baseUrl}/v2/purse`, headers: { 'x-seed': key } },
      httpOptions,
    )
    const { purse } = body
    // Without a figure this is NaN, which the gateway refuses. Zero would disable the channel.
    return amountOf(isObject(purse) ? purse['cents'] : undefined) / 100
  },
})
