// Baidu Wenxin Qianfan, V1: an access token by exchange and a chat format of its own. Baidu ended it on 31 August 2026
// (cloud.baidu.com/doc/qianfan/s/rmse4vxp8): kept for older channels and private mirrors. Its successor is V2, the adapter `baidu-v2`.
// Source: cloud.baidu.com/doc/WENXINWORKSHOP, pages "Get access_token", "ERNIE-4.0-8K" and "Error codes".
import { defineAdapter } from '#core'
import { keyParts } from '#adapter-kit'
import { classify } from './failures.ts'
import { embeddings } from './embeddings.ts'
import { baiduModels } from './models.ts'
import { readAnswer } from './read-answer.ts'
import { send } from './send.ts'
import { StreamReader } from './stream-reader.ts'
import { KEY_FORM } from './token.ts'
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
    zh: '百度文心千帆 V1（已停用）',
    aliases: ['ERNIE', '文心一言', 'Qianfan'],
  },
  summary: 'ERNIE models on the V1 API of Baidu Qianfan, which Baidu ended in August 2026.',
  operations: { chat: { send, readAnswer, streamReader: () => new StreamReader() }, embeddings },
  form: {
    key: { en: KEY_FORM, zh: KEY_FORM },
    baseUrl: {
      help: {
        en: 'Baidu ended this API on 31 August 2026. For V2, its successor, add a channel of type Baidu Qianfan V2, whose keys begin with bce-v3/.',
        zh: '百度已于 2026 年 8 月 31 日停止此接口。请新建“百度千帆 V2”类型的渠道，其密钥以 bce-v3/ 开头。',
      },
    },
  },
  checkChannel: ({ key }) => void keyParts(key, KEY_FORM),
  transport: sendWithToken,
  classify,
})
