// xAI speaks the OpenAI dialect. Source: docs.x.ai, API reference, page "Debugging errors".
import { defineAdapter, type FailureClass, type RawFailure, type ResolvedModel } from '#core'
import { messagesSettings, openaiCompatible, openaiModelList } from '#adapter-kit'
import { withWholeCompletion } from './from-xai.ts'
import { effortsOf, isMultiAgent, isReasoning, xaiModels } from './models.ts'
import prices from './prices.json' with { type: 'json' }
import { toXai, toXaiEdit, toXaiImages, toXaiMessages, toXaiResponses } from './to-xai.ts'

export default defineAdapter({
  id: 'xai',
  channelTypes: { 48: 'xAI' },
  baseUrl: 'https://api.x.ai',
  models: xaiModels,
  prices,
  mark: 'xai',
  makes: ['grok', 'aurora'],
  picker: { aliases: ['Grok', '马斯克'] },
  summary: 'Grok chat, reasoning and image models of xAI.',
  operations: openaiCompatible({
    operations: ['completions', 'images.generations', 'images.edits'],
    request: {
      chat: toXai,
      responses: toXaiResponses,
      'images.generations': toXaiImages,
      'images.edits': toXaiImages,
    },
    form: { 'images.edits': toXaiEdit },
    answer: { chat: withWholeCompletion },
    chunk: withWholeCompletion,
    responses: (model) => (isMultiAgent(model) ? 'only' : true),
    // Listed under "Legacy & deprecated": still served, to be switched off by the channel's setting once it is not.
    messages: {
      origins: ['https://api.x.ai'],
      path: '',
      serves: (model) => !isMultiAgent(model),
      request: toXaiMessages,
    },
    capabilities: (model) => ({
      reasoning: effortsOf(model).length === 0 ? 'none' : 'effort',
      sampling: true,
      developerRole: false,
    }),
  }),
  settings: messagesSettings,
  resolveModel,
  classify,
  fetchModels: openaiModelList(),
})

function resolveModel(model: string): ResolvedModel {
  const match = /^(.+)-(low|medium|high)$/.exec(model)
  const base = match?.[1]
  const effort = match?.[2]
  if (base === undefined || effort === undefined || !isReasoning(base)) return { model }
  return effortsOf(base).length === 0 ? { model } : { model: base, effort }
}

const badKey = /incorrect api key/i
const outOfMoney = /used all available credits|reached its monthly spending limit|no credits/i
const team = /\bteam\b/i
const blocked = /blocked|suspended/i
const refusedContent = /usage guidelines|content violates|safety/i

// xAI answers a bad key with 400, an empty account with 429 or 403: only the message tells them apart.
function classify({ status, message, code }: RawFailure): FailureClass | undefined {
  if (badKey.test(message)) return 'invalid-credentials'
  if ((status === 429 || status === 403) && outOfMoney.test(message)) return 'insufficient-funds'
  if (status === 403 && team.test(message) && blocked.test(message)) return 'invalid-credentials'
  if (status === 400 && refusedContent.test(`${code} ${message}`)) return 'content'
  return undefined
}
