// OpenAI. Source: platform.openai.com, API reference and the guide to error codes.
import { defineAdapter, Type, type AttemptContext, type ChannelView } from '#core'
import {
  fetchOpenaiBalance,
  fitReasoningModel,
  hostMaySearch,
  isResponsesOnly,
  openaiCompatible,
  OPENAI_OPERATIONS,
  openaiModelList,
  resolveEffortSuffix,
} from '#adapter-kit'
import { openaiModels } from './models.ts'
import prices from './prices.json' with { type: 'json' }

const operations = openaiCompatible({
  operations: [...OPENAI_OPERATIONS, 'rerank', 'responses.compact', 'responses.input_tokens'],
  route: (path, { channel }) => routed(path, channel),
  headers: organization,
  request: { chat: (body, context) => fitReasoningModel(body, context.drop) },
  responses: servesResponses,
  capabilities: hostMaySearch,
})

export default defineAdapter({
  id: 'openai',
  channelTypes: { 1: 'OpenAI' },
  baseUrl: 'https://api.openai.com',
  models: openaiModels,
  prices,
  mark: 'openai',
  makes: [
    'gpt',
    'chatgpt',
    'o1',
    'o3',
    'o4-',
    'dall-e',
    'whisper',
    'tts',
    'text-embedding-3',
    'text-embedding-ada',
    'text-davinci',
    'text-moderation',
    'omni-moderation',
    'davinci',
    'babbage',
    'codex',
    'computer-use',
    'sora',
  ],
  picker: {
    section: 'popular',
    aliases: ['ChatGPT', 'GPT', 'compatible', '兼容', 'DALL-E', 'Whisper', 'Sora'],
  },
  summary: 'OpenAI, and every other host that speaks its API.',
  ownedBy: 'openai',
  operations,
  settings: Type.Object({
    responses: Type.Optional(
      Type.Boolean({
        default: true,
        'x-ui': {
          label: { en: 'Serves /v1/responses', zh: '支持 /v1/responses' },
          help: {
            en: 'Switch it off for a host without this API: its calls are then converted to chat.',
            zh: '主机不提供此接口时请关闭，此类调用会转换为对话接口。',
          },
        },
      }),
    ),
  }),
  resolveModel: (model) => resolveEffortSuffix(model),
  fetchModels: (channel, http, options) =>
    openaiModelList(routed('/v1/models', channel))(channel, http, options),
  fetchBalance: fetchOpenaiBalance,
})

function servesResponses(model: string, channel: ChannelView): boolean | 'only' {
  if (channel.setting['responses'] === false) return false
  return isResponsesOnly(model) ? 'only' : true
}

/** Cloudflare's AI gateway has the version in its own part of the address. */
function routed(path: string, { baseUrl }: ChannelView): string {
  return baseUrl.startsWith('https://gateway.ai.cloudflare.com')
    ? path.replace(/^\/v1(?=\/)/, '')
    : path
}

function organization({ channel }: AttemptContext): Record<string, string> {
  return channel.organization === '' ? {} : { 'openai-organization': channel.organization }
}
