// Google Gemini, the API of AI Studio. Source: ai.google.dev/api.
import {
  defineAdapter,
  type AttemptContext,
  type Endpoint,
  type FailureClass,
  type RawFailure,
} from '#core'
import {
  codecs,
  geminiMedia,
  inlineGeminiFiles,
  isGoogleKeyRefused,
  joinUrl,
  openaiModelList,
  resolveGeminiSuffix,
} from '#adapter-kit'
import { fromBatch, toBatch } from './embeddings.ts'
import { geminiModels } from './models.ts'
import prices from './prices.json' with { type: 'json' }

const listModels = openaiModelList('/v1beta/openai/models')

export default defineAdapter({
  id: 'gemini',
  channelTypes: { 24: 'Google Gemini' },
  baseUrl: 'https://generativelanguage.googleapis.com',
  models: geminiModels,
  prices,
  mark: 'gemini',
  makes: ['gemini', 'gemma', 'imagen', 'veo-', 'learnlm', 'text-embedding-004', 'palm'],
  picker: {
    section: 'popular',
    zh: '谷歌 Gemini',
    aliases: ['AI Studio', 'Gemma', 'Imagen', 'Veo', 'Nano Banana', '谷歌'],
  },
  summary: 'Gemini, Gemma and Imagen models of Google AI Studio.',
  ownedBy: 'google',
  operations: {
    chat: {
      dialects: ['gemini'],
      endpoint: (_dialect, context) =>
        context.isStream
          ? endpoint('streamGenerateContent?alt=sse', context)
          : endpoint('generateContent', context),
      body: (body, _dialect, context) => inlineGeminiFiles(body, context),
    },
    'gemini.count_tokens': {
      endpoint: (context) => endpoint('countTokens', context),
      body: async (body, context) => ({
        generateContentRequest: {
          model: `models/${context.model}`,
          ...(await inlineGeminiFiles(body, context)),
        },
      }),
    },
    realtime: {
      apis: ['gemini.live'],
      endpoint: (context) => ({
        url: joinUrl(
          context.channel.baseUrl.replace(/^http/, 'ws'),
          `/ws/google.ai.generativelanguage.${versionOf(context)}.GenerativeService.BidiGenerateContent`,
        ),
        headers: { 'x-goog-api-key': context.channel.key },
        protocols: [],
      }),
    },
    embeddings: {
      endpoint: (context) => endpoint('batchEmbedContents', context),
      body: (body, { model }) => toBatch(body, model),
      answer: (body, { model }) => fromBatch(body, model),
    },
    ...geminiMedia(endpoint),
  },
  resolveModel: (model, { options }) => resolveGeminiSuffix(model, options),
  readError: (status, body) => codecs.gemini.readError(status, body),
  classify,
  async fetchModels(channel, http, options) {
    const names = await listModels(channel, http, options)
    return names.map((name) => name.replace(/^models\//, ''))
  },
})

function endpoint(action: string, context: AttemptContext): Endpoint {
  const { channel, model } = context
  return {
    url: joinUrl(channel.baseUrl, `/${versionOf(context)}/models/${model}:${action}`),
    headers: { 'x-goog-api-key': channel.key },
  }
}

function versionOf({ model, options }: AttemptContext): string {
  const versions = options.get<Record<string, string>>('gemini.version_settings')
  const own = Object.hasOwn(versions, model) ? versions[model] : undefined
  return own ?? versions['default'] ?? 'v1beta'
}

// Source: ai.google.dev/gemini-api/docs/billing; the first came as 429 until mid-2026, and 402 since.
const emptyAccount = /prepayment credits are depleted|exceeded its monthly spending cap/i

function classify(failure: RawFailure): FailureClass | undefined {
  const { status: answered, bodyStatus, message } = failure
  const status = bodyStatus ?? answered
  if ((status === 402 || status === 429) && emptyAccount.test(message)) return 'insufficient-funds'
  // Daily limits too, and those whose words sound like an empty account.
  if (status === 429) return 'throttled'
  if (status === 403 || isGoogleKeyRefused(failure)) return 'invalid-credentials'
  // Google refuses the country of this gateway; a channel with a proxy elsewhere may be served.
  return status === 400 && /location is not supported/i.test(message) ? 'denied' : undefined
}
