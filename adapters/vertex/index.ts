// Google Vertex AI: Gemini, Claude and open models behind one service account, or Gemini by an API key. Source:
// cloud.google.com/vertex-ai/generative-ai/docs, also "Vertex AI in express mode REST API reference".
import {
  defineAdapter,
  isObject,
  type AttemptContext,
  type ChatDialect,
  type Endpoint,
  type RawFailure,
  type UpstreamRequest,
  type UpstreamResponse,
} from '#core'
import {
  claudeHeaders,
  codecs,
  geminiMedia,
  isGoogleKeyRefused,
  resolveClaudeSuffix,
  resolveGeminiSuffix,
  without,
} from '#adapter-kit'
import { accessToken, forgetToken } from './access-token.ts'
import { chatAddress, googleAddress, liveAddress } from './address.ts'
import { countGeminiTokens, countTokens } from './count-tokens.ts'
import { toVertex } from './body.ts'
import { fromPredictions, toInstances } from './embeddings.ts'
import { familyOf, vertexModels, type Family } from './models.ts'
import { regionOf } from './region.ts'
import { refuseProjectDataLive, vertexSettings } from './project-data.ts'
import { isApiKey, readServiceAccount } from './service-account.ts'
import prices from './prices.json' with { type: 'json' }

const DIALECTS: Readonly<Record<Family, readonly ChatDialect[]>> = {
  google: ['gemini'],
  anthropic: ['anthropic-messages'],
  open: ['openai-chat'],
}

export default defineAdapter({
  id: 'vertex',
  channelTypes: { 41: 'Vertex AI' },
  baseUrl: '',
  models: vertexModels,
  mark: 'vertexai',
  picker: {
    section: 'popular',
    zh: '谷歌云 Vertex AI',
    aliases: ['Google Cloud', 'GCP', 'Gemini', 'Claude', '谷歌'],
  },
  summary: 'Gemini, Claude and open models on Google Cloud.',
  prices,
  ownedBy: 'google',
  settings: vertexSettings,
  operations: {
    chat: {
      dialects: (model) => DIALECTS[familyOf(model)],
      endpoint: (_dialect, context) => ({ url: chatAddress(context), headers: betas(context) }),
      body: toVertex,
      // Google adds an event of its own to Claude's.
      streamData: (data) => (data['type'] === 'vertex_event' ? undefined : data),
    },
    count_tokens: countTokens,
    'gemini.count_tokens': countGeminiTokens,
    realtime: {
      apis: ['gemini.live'],
      endpoint: async (context) => ({
        ...liveAddress(context),
        headers: await credentials(context),
        protocols: [],
        admit: (message) => refuseProjectDataLive(message, context),
      }),
    },
    embeddings: {
      endpoint: (context) => google('predict', context),
      body: toInstances,
      answer: (body, { model }) => fromPredictions(body, model),
    },
    ...geminiMedia(google),
  },
  form: {
    isMultilineKey: true,
    key: {
      en: 'The JSON document of a service account, or an API key (Gemini models only).',
      zh: '服务账号的 JSON 文件内容，或 API 密钥（仅限 Gemini 模型）。',
    },
    baseUrl: {
      help: { en: 'Blank: the address of the region that is set.', zh: '留空使用所填区域的地址。' },
    },
    other: {
      label: { en: 'Region', zh: '区域' },
      isModelMap: true,
      requiredWithJsonKey: true,
      help: {
        en: 'A region such as us-central1, or a JSON map from models to regions with the key "default". Needed with a service account.',
        zh: '区域名（如 us-central1），或模型到区域的 JSON 映射，须包含 "default" 键。使用服务账号时必填。',
      },
    },
  },
  checkChannel(channel) {
    if (isApiKey(channel)) return
    readServiceAccount(channel)
    regionOf(channel, 'default')
  },
  resolveModel: (model, { options }) =>
    familyOf(model) === 'anthropic'
      ? resolveClaudeSuffix(model, options)
      : resolveGeminiSuffix(model, options),
  readError,
  classify: (failure) =>
    (failure.bodyStatus ?? failure.status) === 403 || isGoogleKeyRefused(failure)
      ? 'invalid-credentials'
      : undefined,
  async transport(request, context) {
    const response = await send(request, context)
    if (response.status !== 401 || isApiKey(context.channel)) return response
    // The token may have been revoked before its end; a fresh one decides.
    forgetToken(context)
    await discard(response)
    return send(request, context)
  },
})

/** Google's shape, and Anthropic's own for some failures of Claude. */
function readError(status: number, body: unknown): RawFailure | undefined {
  const dialect = isObject(body) && body['type'] === 'error' ? 'anthropic-messages' : 'gemini'
  return codecs[dialect].readError(status, body)
}

function google(action: string, context: AttemptContext): Endpoint {
  return { url: googleAddress(action, context), headers: {} }
}

function betas(context: AttemptContext): Record<string, string> {
  return familyOf(context.model) === 'anthropic'
    ? (without(claudeHeaders(context), 'anthropic-version') as Record<string, string>)
    : {}
}

async function send(request: UpstreamRequest, context: AttemptContext) {
  const headers = { ...request.headers, ...(await credentials(context)) }
  return context.http.request({ ...request, headers }, context.httpOptions)
}

/** A key is sent in a header, because addresses may be logged on the way. */
async function credentials(context: AttemptContext): Promise<Record<string, string>> {
  return isApiKey(context.channel)
    ? { 'x-goog-api-key': context.channel.key.trim() }
    : { authorization: `Bearer ${await accessToken(context)}` }
}

/** An answer that nobody reads would hold its connection. */
async function discard({ body }: UpstreamResponse): Promise<void> {
  for await (const _chunk of body);
}
