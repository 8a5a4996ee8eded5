// Baidu Qianfan V2 speaks the OpenAI dialect. Source: cloud.baidu.com/doc/qianfan-api, pages "Request headers" and "Error codes".
import { defineAdapter, type AttemptContext, type Body } from '#core'
import {
  editList,
  jinaRerankAnswer,
  malformedKey,
  messagesSettings,
  openaiCompatible,
  openaiModelList,
  withoutDeveloperRole,
} from '#adapter-kit'
import { classify } from './failures.ts'
import { baiduV2Models } from './models.ts'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'baidu-v2',
  channelTypes: { 46: 'Baidu Qianfan V2' },
  baseUrl: 'https://qianfan.baidubce.com',
  models: baiduV2Models,
  mark: 'wenxin',
  picker: { section: 'china', zh: '百度千帆 V2', aliases: ['ERNIE', '文心一言', 'Qianfan'] },
  summary: 'ERNIE and hosted open models on Baidu Qianfan, V2 API.',
  prices,
  operations: openaiCompatible({
    operations: ['embeddings', 'images.generations', 'images.edits', 'rerank'],
    paths: {
      chat: '/v2/chat/completions',
      embeddings: '/v2/embeddings',
      'images.generations': '/v2/images/generations',
      'images.edits': '/v2/images/edits',
      rerank: '/v2/rerank',
    },
    headers: credentials,
    request: { chat: toQianfan },
    // Baidu's search has a field of its own, see toQianfan.
    capabilities: () => ({ webSearch: false }),
    answer: { chat: withToolCallsReason, rerank: jinaRerankAnswer },
    chunk: withToolCallsReason,
    // Page "Anthropic Claude API": all chat models; the search suffix is a matter of the OpenAI form.
    messages: {
      origins: ['https://qianfan.baidubce.com'],
      path: '/anthropic',
      serves: (model) => !model.endsWith('-search'),
    },
  }),
  settings: messagesSettings,
  form: {
    key: {
      en: 'API key (bce-v3/ALTAK-…); with an application: API key|appid',
      zh: 'API Key（bce-v3/ALTAK-…）；使用应用时填写 API Key|appid',
    },
  },
  checkChannel({ key }) {
    const parts = key.split('|')
    if (parts.length > 2 || parts.includes(''))
      throw malformedKey('an API key or API key|appid', 'API Key 或 API Key|appid')
  },
  // Source: cloud.baidu.com/doc/qianfan-api/s/Dmba8k71y.
  fetchModels: openaiModelList('/v2/models', (key) => key.split('|')[0] ?? key),
  classify,
})

function credentials({ channel }: AttemptContext): Record<string, string> {
  const [key, appId] = channel.key.split('|')
  return { authorization: `Bearer ${key}`, ...(appId === undefined ? {} : { appid: appId }) }
}

const SEARCH_SUFFIX = '-search'

/** Baidu knows no developer role. A name that ends in `-search` is the same model with Baidu's web search. */
function toQianfan(body: Body, { model }: AttemptContext): Body {
  const fitted = withoutDeveloperRole(body)
  if (!model.endsWith(SEARCH_SUFFIX)) return fitted
  return {
    ...fitted,
    model: model.slice(0, -SEARCH_SUFFIX.length),
    web_search: body.web_search ?? {
      enable: true,
      enable_citation: true,
      enable_trace: true,
      enable_status: false,
    },
  }
}

// `normal`, its other word, is read as a stop by core.
function withToolCallsReason(body: Body): Body {
  return editList(body, 'choices', (choice) =>
    choice.finish_reason === 'function_call' ? { ...choice, finish_reason: 'tool_calls' } : choice,
  )
}
