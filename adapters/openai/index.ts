// OpenAI. Source: platform.openai.com, API reference and the guide to error codes.
import {
  defineAdapter,
  fitReasoningModel,
  openaiCompatible,
  OPENAI_OPERATIONS,
  openaiModelList,
  resolveEffortSuffix,
  Type,
  type AttemptContext,
  type ChannelView,
  type ChatDialect,
  type DialectChat,
} from '#core'
import { fetchOpenaiBalance } from './balance.ts'
import { openaiModels } from './models.ts'

const operations = openaiCompatible({
  operations: [...OPENAI_OPERATIONS, 'rerank', 'responses.compact'],
  headers: organization,
  request: { chat: (body, context) => fitReasoningModel(body, context.drop) },
  responses: true,
})

export default defineAdapter({
  id: 'openai',
  channelTypes: { 1: 'OpenAI' },
  baseUrl: 'https://api.openai.com',
  models: openaiModels,
  summary: 'OpenAI, and every other host that speaks its API.',
  ownedBy: 'openai',
  operations: { ...operations, chat: { ...(operations.chat as DialectChat), dialects: spoken } },
  settings: Type.Object({
    responses: Type.Optional(
      Type.Boolean({
        description: 'Whether the host serves /v1/responses; false converts such calls to chat.',
      }),
    ),
  }),
  resolveModel: (model) => resolveEffortSuffix(model),
  fetchModels: openaiModelList(),
  fetchBalance: fetchOpenaiBalance,
})

// Models without a chat endpoint.
const responsesOnly = /^gpt-5(\.\d+)?-(codex|pro)/

function spoken(model: string, channel: ChannelView): readonly ChatDialect[] {
  if (channel.setting['responses'] === false) return ['openai-chat']
  return responsesOnly.test(model) ? ['openai-responses'] : ['openai-chat', 'openai-responses']
}

function organization({ channel }: AttemptContext): Record<string, string> {
  return channel.organization === '' ? {} : { 'openai-organization': channel.organization }
}
