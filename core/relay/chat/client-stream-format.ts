// The headers and keep-alive pings of a streamed answer, in the form that its client asked for.
import { clientCodec } from './client-codec.ts'
import { ClientStream, streamHeaders } from './client-stream.ts'
import type { RelayCall } from '../call/relay-call.ts'
import type { RelaySettings } from '../call/relay-deps.ts'
import { requestIdHeaders } from '../../http/request-id.ts'

type CallFacts = Pick<RelayCall, 'dialect' | 'operation' | 'isStream' | 'request' | 'ownCodec'>

/** Gemini's streams without alt=sse are one JSON array. */
export function wantsArray(call: CallFacts): boolean {
  const { dialect, operation, isStream, ownCodec, request } = call
  if (dialect !== 'gemini' || operation !== 'chat' || !isStream || ownCodec) return false
  return (request.query as Record<string, unknown>)['alt'] !== 'sse'
}

/** Clients of generateContent know no error event: only a connection that breaks tells them that the answer is not whole. */
export function breaksOff({ dialect, ownCodec }: Pick<CallFacts, 'dialect' | 'ownCodec'>): boolean {
  return dialect === 'gemini' && !ownCodec
}

/** White space between elements; a comment would make the array invalid. */
const ARRAY_PING = '\n'

export function pingOf(call: CallFacts): string {
  return wantsArray(call) ? ARRAY_PING : clientCodec(call).ping
}

/** A client that reads nothing is given up after the same time as an upstream that sends nothing. */
export function clientStreamOf(
  call: RelayCall,
  { streamingTimeoutMs }: Pick<RelaySettings, 'streamingTimeoutMs'>,
  more: Record<string, string> = {},
): ClientStream {
  const headers = () => ({
    ...streamHeaders,
    ...(wantsArray(call) ? { 'content-type': 'application/json; charset=utf-8' } : {}),
    ...(call.ownCodec?.streamType === undefined
      ? {}
      : { 'content-type': call.ownCodec.streamType }),
    ...requestIdHeaders(call.requestId),
    ...more,
  })
  return new ClientStream(call.reply, call.client, { headers, stallMs: streamingTimeoutMs })
}
