// Cloudflare Workers AI: the OpenAI dialect for chat and embeddings, /ai/run for the rest. Source: developers.cloudflare.com/workers-ai.
import { defineAdapter, type AttemptContext, type ChannelView } from '#core'
import { askWithKey, namesIn, openaiCompatible, renamed, withoutDeveloperRole } from '#adapter-kit'
import { cloudflareModels } from './models.ts'
import { classify, readError } from './failures.ts'
import {
  fromCompletion,
  fromCompletionEvent,
  fromImage,
  fromImageBytes,
  fromTranscription,
  toCompletion,
  toImage,
  toTranscription,
} from './run.ts'
import prices from './prices.json' with { type: 'json' }

const seconds = ({ now }: AttemptContext) => Math.floor(now().getTime() / 1000)
const endpointOf = (path: (context: AttemptContext) => string) => (context: AttemptContext) => ({
  url: path(context),
  headers: { authorization: `Bearer ${context.channel.key}` },
})
const run = endpointOf(({ channel, model }) => `${account(channel)}/ai/run/${model}`)

export default defineAdapter({
  id: 'cloudflare',
  channelTypes: { 39: 'Cloudflare' },
  baseUrl: 'https://api.cloudflare.com',
  models: cloudflareModels,
  mark: 'cloudflare',
  picker: { aliases: ['Workers AI'] },
  summary: 'Open models on Cloudflare Workers AI.',
  prices,
  operations: {
    ...openaiCompatible({
      operations: ['embeddings'],
      paths: {
        chat: ({ channel }) => `${account(channel)}/ai/v1/chat/completions`,
        responses: ({ channel }) => `${account(channel)}/ai/v1/responses`,
        embeddings: ({ channel }) => `${account(channel)}/ai/v1/embeddings`,
      },
      request: {
        chat: (body) => withoutDeveloperRole(renamed(body, 'max_completion_tokens', 'max_tokens')),
      },
      responses: (model) => model.includes('gpt-oss'),
      capabilities: (model) => ({ reasoning: model.includes('gpt-oss') ? 'effort' : 'none' }),
    }),
    completions: {
      endpoint: run,
      body: toCompletion,
      answer: (body, context) => fromCompletion(body, context.model, seconds(context)),
      streamData: (data, context) => fromCompletionEvent(data, context.model, seconds(context)),
    },
    'images.generations': {
      endpoint: run,
      body: toImage,
      answer: (body, context) => fromImage(body, seconds(context)),
      binaryAnswer: (answer, context) => fromImageBytes(answer, seconds(context)),
    },
    'audio.transcriptions': {
      endpoint: run,
      form: (parts, { model }) => toTranscription(parts, model),
      answer: fromTranscription,
    },
  },
  form: {
    key: {
      en: 'An API token with permission for Workers AI.',
      zh: '具有 Workers AI 权限的 API 令牌。',
    },
    other: { label: { en: 'Account ID', zh: '账户 ID' }, required: true },
  },
  readError,
  classify,
  async fetchModels(channel, http, options) {
    const url = `${account(channel)}/ai/models/search?per_page=1000`
    const { result } = await askWithKey(http, channel, url, options)
    return namesIn(result, 'name')
  },
})

/** The documents name the address of the OpenAI dialect with its path, `/client/v4/accounts/ID/ai/v1`. */
function account({ baseUrl, other }: ChannelView): string {
  const [origin = baseUrl] = baseUrl.split('/client/v4')
  return `${origin}/client/v4/accounts/${encodeURIComponent(other.trim())}`
}
