// Baidu Wenxin Qianfan, V1: an access token by exchange and a chat format of its own.
// Source: cloud.baidu.com/doc/WENXINWORKSHOP, pages "Get access_token", "ERNIE-4.0-8K" and "Error codes".
import { defineAdapter } from '#core'
import { classify } from './failures.ts'
import { embeddings } from './embeddings.ts'
import { baiduModels } from './models.ts'
import { readAnswer } from './read-answer.ts'
import { send } from './send.ts'
import { StreamReader } from './stream-reader.ts'
import { keyParts } from './token.ts'
import { sendWithToken } from './transport.ts'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'baidu',
  channelTypes: { 15: 'Baidu Wenxin Qianfan' },
  baseUrl: 'https://aip.baidubce.com',
  models: baiduModels,
  prices,
  mark: 'wenxin',
  makes: ['ernie'],
  picker: {
    section: 'china',
    zh: '百度文心千帆（旧版 V1）',
    aliases: ['ERNIE', '文心一言', 'Qianfan'],
  },
  summary: 'ERNIE chat and embedding models on the old V1 API of Baidu Qianfan.',
  operations: { chat: { send, readAnswer, streamReader: () => new StreamReader() }, embeddings },
  form: { key: { en: 'APIKey|SecretKey', zh: 'APIKey|SecretKey' } },
  checkChannel: ({ key }) => void keyParts(key),
  transport: sendWithToken,
  classify,
})
