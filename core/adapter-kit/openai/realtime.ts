import type {
  AttemptContext,
  Endpoint,
  RealtimeApi,
  RealtimeOperation,
} from '../../contract/adapter.ts'

const KEY_PROTOCOL = 'openai-insecure-api-key.'
const BETA_PROTOCOL = 'openai-beta.'

const apis = [
  'realtime',
  'realtime.transcription',
  'realtime.translation',
  'live',
] as const satisfies readonly RealtimeApi[]
export type OpenaiSocket = (typeof apis)[number]

/** The WebSockets of OpenAI's realtime APIs: the channel's key is sent in the same place in which the client sent its own. */
export function realtimeOperation(
  endpoint: (context: AttemptContext, api: OpenaiSocket) => Endpoint,
): RealtimeOperation {
  return {
    apis,
    endpoint(context) {
      const api = apis.find((own) => own === context.api) ?? 'realtime'
      const { url, headers } = endpoint(context, api)
      const address = new URL(url.replace(/^http/, 'ws'))
      if (api === 'live') return { url: address.href, headers, protocols: [] }
      if (api === 'realtime.transcription') address.searchParams.set('intent', 'transcription')
      else if (!address.searchParams.has('model')) address.searchParams.set('model', context.model)
      const usesProtocol = context.protocols.some((entry) => entry.startsWith(KEY_PROTOCOL))
      const protocols = [
        'realtime',
        ...context.protocols.filter((entry) => entry.startsWith(BETA_PROTOCOL)),
      ]
      if (usesProtocol) {
        const { authorization: _unused, ...rest } = headers
        return {
          url: address.href,
          headers: rest,
          protocols: [...protocols, KEY_PROTOCOL + context.channel.key],
        }
      }
      return { url: address.href, headers: { ...headers, ...betaHeader(context) }, protocols }
    },
  }
}

/** Preview models still require this header; the released ones neither need nor refuse it. */
function betaHeader(context: AttemptContext): Record<string, string> {
  return context.model.includes('preview') ? { 'openai-beta': 'realtime=v1' } : {}
}
