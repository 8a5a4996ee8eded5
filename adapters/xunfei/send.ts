import type { AttemptContext, ChatRequest, JsonObject, UpstreamRequest } from '#core'
import {
  clamped,
  compact,
  flatMessages,
  keyParts,
  reportDropped,
  type FlatMessage,
} from '#adapter-kit'
import { signedUrl } from './sign-url.ts'
import { versionOf, type SparkVersion } from './version.ts'

export const KEY_FORM = 'APPID|APISecret|APIKey'

const LONGEST_UID = 32

/** The one frame of a request, and the address that it goes to. */
export function send(request: ChatRequest, context: AttemptContext): UpstreamRequest {
  const { channel, now } = context
  const version = versionOf(context)
  const [appId, apiSecret, apiKey] = keyParts(channel.key, KEY_FORM)
  reportDropped(
    request,
    [
      'temperature',
      'topK',
      'maxTokens',
      'user',
      ...(version.hasFunctions ? (['tools'] as const) : []),
    ],
    context,
  )
  const messages = flatMessages(request, context, { alternates: true })
  const frame = {
    header: compact({ app_id: appId, uid: request.user?.slice(0, LONGEST_UID) }),
    parameter: { chat: chatParameter(request, version, context) },
    payload: {
      message: { text: messages.flatMap((message) => toMessages(message, version)) },
      ...functionsOf(request, version),
    },
  }
  const url = channel.baseUrl.replace(/^http/, 'ws') + version.path
  return {
    method: 'GET',
    url: signedUrl({ url, apiKey, apiSecret, now: now() }),
    headers: {},
    body: JSON.stringify(frame),
  }
}

/** Temperature lies above 0 and goes up to 1. */
function chatParameter(
  { temperature, topK, maxTokens }: ChatRequest,
  { domain }: SparkVersion,
  { clientBody, clientDialect }: AttemptContext,
): JsonObject {
  // Clients of the OpenAI dialect have no field for it, but may send one.
  const own = clientDialect === 'openai-chat' ? clientBody?.top_k : undefined
  const parameter = compact({ domain, temperature, top_k: topK ?? own, max_tokens: maxTokens })
  return clamped(parameter, 'temperature', { min: 0.01, max: 1 })
}

function toMessages({ role, text }: FlatMessage, { hasSystemRole }: SparkVersion): JsonObject[] {
  switch (role) {
    case 'system':
      return hasSystemRole
        ? [{ role, content: text }]
        : [
            { role: 'user', content: text },
            { role: 'assistant', content: 'Okay.' },
          ]
    case 'tool':
      return [{ role: 'user', content: text }]
    default:
      return [{ role, content: text }]
  }
}

function functionsOf({ tools }: ChatRequest, { hasFunctions }: SparkVersion): JsonObject {
  if (!hasFunctions || tools.length === 0) return {}
  const text = tools.map(({ name, description, parameters }) => ({
    name,
    description: description ?? '',
    parameters: parameters ?? { type: 'object', properties: {} },
  }))
  return { functions: { text } }
}
