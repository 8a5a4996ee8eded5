// Xunfei Spark: one WebSocket connection a request. Source: xfyun.cn/doc/spark, "Web API", "General URL authentication" and "Error codes".
import { defineAdapter } from '#core'
import { keyParts } from '#adapter-kit'
import { classify } from './failures.ts'
import { readAnswer, StreamReader } from './stream-reader.ts'
import { KEY_FORM, send } from './send.ts'
import { talk } from './transport.ts'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'xunfei',
  channelTypes: { 18: 'Xunfei Spark' },
  baseUrl: 'wss://spark-api.xf-yun.com',
  models: [
    'SparkDesk',
    'SparkDesk-v1.1',
    'SparkDesk-v2.1',
    'SparkDesk-v3.1',
    'SparkDesk-v3.5',
    'SparkDesk-v4.0',
    'Spark-Lite',
    'Spark-Pro',
    'Spark-Pro-128K',
    'Spark-Max',
    'Spark-Max-32K',
    'Spark-4.0-Ultra',
  ],
  prices,
  mark: 'spark',
  makes: ['spark', 'generalv', '4.0ultra'],
  picker: { section: 'china', zh: '讯飞星火', aliases: ['科大讯飞', 'iFlytek', 'Spark'] },
  summary: 'Spark models of Xunfei over WebSocket.',
  operations: {
    chat: { send, readAnswer, framing: 'ndjson', streamReader: () => new StreamReader() },
  },
  form: {
    key: { en: KEY_FORM, zh: KEY_FORM },
    baseUrl: {
      help: {
        en: 'Blank: Spark itself. Another address takes the place of wss://spark-api.xf-yun.com; https counts as wss.',
        zh: '留空使用讯飞官方地址；其他地址将代替 wss://spark-api.xf-yun.com（https 视为 wss）。',
      },
    },
    other: {
      label: { en: 'API version', zh: 'API 版本' },
      default: 'v2.1',
      help: {
        en: 'v1.1, v2.1, v3.1, v3.5 or v4.0; a version in the model name wins.',
        zh: 'v1.1、v2.1、v3.1、v3.5 或 v4.0；模型名中的版本优先。',
      },
    },
  },
  checkChannel: ({ key }) => void keyParts(key, KEY_FORM),
  transport: talk,
  classify,
})
