// The connection to a client, and the parts of its request that adapters may see.
import { createHash } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AttemptContext } from '../../contract/adapter.ts'
import { whenClosed } from '../../net/clients/when-closed.ts'

/** What a call knows about its client's connection. */
export interface ClientState {
  isGone: boolean
  goneAtMs: number
  /** When the first byte reached the client; undefined before that. */
  firstByteAtMs: number | undefined
}

/** The connection itself, to wait for its end. */
export interface ClientReply {
  readonly raw: Pick<EventEmitter, 'on' | 'off'> & { readonly destroyed: boolean }
}

/** The parts of a request that an attempt uses. */
export type ClientRequest = Pick<FastifyRequest, 'headers' | 'query'>

export function newClientState(): ClientState {
  return { isGone: false, goneAtMs: 0, firstByteAtMs: undefined }
}

/** Watches the connection: after the client has left, the answer is still read, but no longer written. */
export function watchClient(reply: FastifyReply): ClientState {
  const state = newClientState()
  whenClosed(reply.raw, () => {
    if (reply.raw.writableFinished) return
    state.isGone = true
    state.goneAtMs = performance.now()
  })
  return state
}

const forwardedHeaders = [
  'anthropic-version',
  'anthropic-beta',
  'openai-beta',
  'idempotency-key',
  'http-referer',
  'x-title',
  'accept',
  'content-type',
] as const

/** The request headers that adapters may see. @param userId the user who makes the call */
export function clientHeadersOf(
  request: Pick<ClientRequest, 'headers'>,
  userId = 0,
): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of forwardedHeaders) {
    const value = request.headers[name]
    if (typeof value === 'string') found[name] = value
  }
  const key = found['idempotency-key']
  if (key !== undefined) found['idempotency-key'] = ownKey(key, userId)
  return found
}

/** An idempotency key made unique for each user. All customers share the provider's account, and one who sends
 *  another's key must not get that customer's answer. */
function ownKey(key: string, userId: number): string {
  return createHash('sha256').update(`${userId}\n${key}`).digest('hex')
}

/** Headers passed on to an upstream of the client's own dialect, besides those that its adapter sends. */
export function headersOfDialect({ clientHeaders }: AttemptContext): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of ['idempotency-key', 'openai-beta']) {
    const value = clientHeaders[name]
    if (value !== undefined) found[name] = value
  }
  return found
}
