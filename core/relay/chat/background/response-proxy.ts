// Calls about one stored response, sent with the channel and key that made it. Free of charge.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../../contract/adapter.ts'
import type { UpstreamResponse } from '../../../contract/http-client.ts'
import type { RoutedChannel } from '../../../channels/routing/routed-channel.ts'
import { openAttempt, send, type Attempt, type AttemptCall } from '../../attempt/attempt.ts'
import { chatOf, isDialectChat } from '../prepare/prepare-chat.ts'
import { byAdapter } from '../../attempt/by-adapter.ts'
import { watchClient } from '../../call/client-state.ts'
import type { AttemptDeps } from '../../call/relay-deps.ts'
import { relayErrors } from '../../call/relay-errors.ts'
import type { StoredResponse } from '../../conversation/stored-responses.ts'

export interface ProxiedResponse {
  id: string
  stored: StoredResponse
  method: 'GET' | 'POST' | 'DELETE'
  /** The path after the id, e.g. `/cancel`. */
  suffix: string
  query: Readonly<Record<string, string | string[]>>
}

const noes = ['', '0', 'false']

/** Whether a query asks for a stream. Providers know more words for yes than `true`. */
export function asksForStream({ stream = '' }: Partial<ProxiedResponse['query']>): boolean {
  return [stream].flat().some((word) => !noes.includes(word.toLowerCase()))
}

/** An attempt for a call that concerns no model: nothing is selected, reserved or charged. */
export function responseProxyAttempt(
  request: FastifyRequest,
  reply: FastifyReply,
  { stored, channel }: { stored: StoredResponse; channel: RoutedChannel },
  deps: AttemptDeps,
): Attempt {
  const call: AttemptCall = {
    operation: 'chat',
    dialect: 'openai-responses',
    requestedModel: stored.model,
    isStream: asksForStream(request.query as ProxiedResponse['query']),
    body: undefined,
    bound: stored,
    triedKeys: undefined,
    request,
    reply,
    requestId: request.id,
    client: watchClient(reply),
    notes: {},
    dropped: new Set(),
  }
  return openAttempt(call, channel, deps)
}

/** @throws UpstreamError, net errors */
export async function proxyResponse(
  attempt: Attempt,
  { id, method, suffix, query }: Omit<ProxiedResponse, 'stored'>,
): Promise<UpstreamResponse> {
  const { url, headers } = await responsesEndpoint(attempt)
  const target = new URL(url)
  target.pathname += `/${encodeURIComponent(id)}${suffix}`
  for (const [name, values] of Object.entries(query)) {
    // Some SDKs send the gateway's key in this parameter.
    if (name === 'key') continue
    for (const value of [values].flat()) target.searchParams.append(name, value)
  }
  return send(attempt, { method, url: target.href, headers })
}

/** @throws relay.response_not_found if the channel speaks another dialect by now */
async function responsesEndpoint(attempt: Attempt): Promise<Endpoint> {
  const { context } = attempt
  const operation = chatOf(attempt)
  if (operation && isDialectChat(operation)) {
    const spoken =
      typeof operation.dialects === 'function'
        ? operation.dialects(context.model, context.channel)
        : operation.dialects
    if (spoken.includes('openai-responses'))
      return byAdapter(attempt, operation.endpoint('openai-responses', context))
  }
  throw relayErrors.responseUnknown({ id: '' })
}
