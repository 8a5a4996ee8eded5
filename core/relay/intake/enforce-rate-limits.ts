import type { FastifyReply } from 'fastify'
import type { RateLimiter } from '../../contract/plugin.ts'
import type { TokenIdentity } from '../../contract/services.ts'
import { whenClosed } from '../../net/clients/when-closed.ts'
import type { RelayCaller } from '../call/relay-call.ts'

/** Runs after the key check and before the body is read. A call counts as a success if its answer ends with a status
 *  below 400.
 *  @throws AppError 429 */
export async function enforceRateLimits(
  { identity }: RelayCaller,
  reply: FastifyReply,
  limiters: readonly RateLimiter[],
): Promise<void> {
  const caller = { userId: identity.userId, group: limitedGroup(identity) }
  for (const limiter of limiters) {
    const taken = await limiter.admit(caller)
    if (!taken) continue
    const { raw } = reply
    whenClosed(raw, () => taken.done(isSuccess(raw)))
  }
}

/** An accepted WebSocket sends no headers through Fastify's reply. */
function isSuccess({ headersSent, statusCode }: FastifyReply['raw']): boolean {
  return (headersSent || statusCode === 101) && statusCode < 400
}

/** Which group `auto` stands for depends on the model, which has not been read yet: such a call counts against the
 *  limits of the user's own group. */
function limitedGroup({ tokenGroup, userGroup }: TokenIdentity): string {
  return tokenGroup === '' || tokenGroup === 'auto' ? userGroup : tokenGroup
}
