import type { FastifyReply, FastifyRequest } from 'fastify'
import { requestIdHeaders } from '../../http/request-id.ts'
import { checkHops } from '../call/hops.ts'
import type { RelayCaller } from '../call/relay-call.ts'
import type { AccessDeps } from '../call/relay-deps.ts'
import { authenticate } from './authenticate.ts'
import type { KeyPlaces } from './credentials.ts'
import { enforceRateLimits } from './enforce-rate-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who makes the call: set by the key check, or by the route where it is known only with the body. */
    relayCaller: RelayCaller | null
  }
}

/** What a route runs before anything else. */
export type KeyCheck = ReturnType<typeof keyCheck>

/** Checks the key before any byte of the body is read. For routes whose answers Fastify sends. */
export function keyCheck(deps: Pick<AccessDeps, 'tokens'>, places: KeyPlaces) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.headers(requestIdHeaders(request.id))
    forbidSharedCaching(request, reply)
    request.relayCaller = await authenticate(request, deps.tokens, places)
  }
}

/** For routes that call models: takes a place among the open calls, then checks the key and the rate limits. Overload
 *  is refused first, since that costs almost nothing and does not count against the caller's limits. */
export function callCheck(deps: AccessDeps, places: KeyPlaces) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    checkHops(request, deps.hopId)
    deps.openCalls.enter(reply)
    forbidSharedCaching(request, reply)
    request.relayCaller = await authenticate(request, deps.tokens, places)
    const limiters = deps.rateLimiters()
    if (limiters.length > 0) await enforceRateLimits(request.relayCaller, reply, limiters)
  }
}

/** Answers to a key are private. Shared caches know this only if the key came in an Authorization header (RFC 9111,
 *  section 3.5), and keys may come in other headers, so the answer says it. */
function forbidSharedCaching({ method }: FastifyRequest, reply: FastifyReply): void {
  if (method === 'GET') reply.header('cache-control', 'no-store')
}

export function callerOf(request: FastifyRequest): RelayCaller {
  if (!request.relayCaller) throw new Error('a relay route without a key check')
  return request.relayCaller
}
