// Tencent Hunyuan, native API: signed calls of a format of its own. Source: cloud.tencent.com/document/product/1729 (ChatCompletions,
// GetEmbedding, error codes), and TencentCloud/tencentcloud-sdk-go, tencentcloud/hunyuan/v20230901. Tencent shut the platform down on 30 September
// 2026 (document/product/1729/131925): kept for older channels and private mirrors. Its successor TokenHub speaks the OpenAI dialect
// (document/product/1823/132252).
import { defineAdapter } from '#core'
import { keyParts } from '#adapter-kit'
import { classify, readError } from './failures.ts'
import { embeddings } from './embeddings.ts'
import { readAnswer } from './read-answer.ts'
import { send } from './send.ts'
import { StreamReader } from './stream-reader.ts'
import { KEY_FORM, signAndSend } from './transport.ts'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'tencent',
  channelTypes: { 23: 'Tencent Hunyuan' },
  baseUrl: 'https://hunyuan.tencentcloudapi.com',
  models: [
    'hunyuan-lite',
    'hunyuan-standard',
    'hunyuan-standard-256K',
    'hunyuan-pro',
    'hunyuan-turbo',
    'hunyuan-turbos-latest',
    'hunyuan-large',
    'hunyuan-t1-latest',
    'hunyuan-a13b',
    'hunyuan-functioncall',
    'hunyuan-role',
    'hunyuan-code',
    'hunyuan-vision',
    'hunyuan-vision-1.5-instruct',
    'hunyuan-embedding',
  ],
  prices,
  mark: 'hunyuan',
  makes: ['hunyuan', 'hy3', 'hy4'],
  picker: {
    section: 'china',
    zh: '腾讯混元（已停用）',
    aliases: ['Hunyuan', '腾讯云', 'Tencent Cloud'],
  },
  summary:
    'Hunyuan models on the native Tencent Cloud API, which Tencent shut down in September 2026.',
  operations: {
    chat: {
      send,
      readAnswer,
      streamReader: (_context, request) => new StreamReader(request.stop ?? []),
    },
    embeddings,
  },
  form: {
    key: { en: KEY_FORM, zh: KEY_FORM },
    baseUrl: {
      help: {
        en: 'Tencent shut this API down on 30 September 2026. For TokenHub, its successor, add a channel of type OpenAI with the address https://tokenhub.tencentmaas.com',
        zh: '腾讯已于 2026 年 9 月 30 日停止此接口。如需使用其后继服务 TokenHub，请新建 OpenAI 类型的渠道，地址为 https://tokenhub.tencentmaas.com',
      },
    },
  },
  checkChannel: ({ key }) => void keyParts(key, KEY_FORM),
  transport: signAndSend,
  readError,
  classify,
})
