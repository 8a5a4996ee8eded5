// POST /pg/chat/completions: a chat of the console's playground. The signed-in user pays; no token is involved.
import { tokenStatus } from '../../contract/constants.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerOf as sessionCallerOf, type Caller } from '../../contract/http.ts'
import type { TokenIdentity } from '../../contract/services.ts'
import { relayWithFallbacks } from '../relay-with-fallbacks.ts'
import { bytesOf, readInput, readObject } from '../intake/read-input.ts'
import type { PlaygroundDeps } from './route-deps.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { enforceRateLimits } from '../intake/enforce-rate-limits.ts'

export function playgroundRoute(app: FastifyInstance, deps: PlaygroundDeps): void {
  app.post(
    '/pg/chat/completions',
    {
      config: { access: 'user', relay: { dialect: 'openai-chat' } },
      schema: { summary: 'Chat in the form of OpenAI, charged to the account; needs a session' },
      onRequest: async (request, reply) => {
        deps.openCalls.enter(reply)
        const caller = sessionCallerOf(request)
        if (caller.by === 'access-token') throw relayErrors.accessTokenRefused()
        const identity = identityOf(caller, { group: '', acceptUnsetRatio: false })
        await enforceRateLimits({ identity, pinnedChannel: undefined }, reply, deps.rateLimiters())
      },
    },
    (request, reply) => answer(request, reply, deps),
  )
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: PlaygroundDeps,
): Promise<void> {
  const caller = sessionCallerOf(request)
  const { model, group = '' } = readObject(bytesOf(request))
  if (model === undefined || model === null || model === '') throw relayErrors.modelRequired()
  if (typeof group !== 'string')
    throw relayErrors.invalid({ reason: 'group must be a string' }, { field: 'group' })
  const input = await readInput(
    request,
    { operation: 'chat', dialect: 'openai-chat' },
    deps.options,
  )
  const { group: _ours, ...sent } = input.body ?? {}
  const { max_tokens: mostTokens, ...rest } = sent
  // Consoles send 0 for "no limit", which providers refuse.
  const body = mostTokens === 0 ? rest : sent
  const acceptUnsetRatio = await deps.acceptsUnset(caller.id)
  const identity = identityOf(caller, { group, acceptUnsetRatio })
  request.relayCaller = { identity, pinnedChannel: undefined }
  await relayWithFallbacks(
    { ...input, body, bytes: Buffer.from(JSON.stringify(body)) },
    reply,
    deps,
  )
}

/** The identity of a caller without a token, in the fields that a token would have. The user's own group is usable even
 *  if it is not offered to others. */
function identityOf(
  { id, username, group: userGroup, role, status }: Caller,
  chosen: { group: string; acceptUnsetRatio: boolean },
): TokenIdentity {
  return {
    tokenId: 0,
    tokenName: `playground-${chosen.group || userGroup}`,
    status: tokenStatus.enabled,
    expiredTime: -1,
    isUnlimited: true,
    remainQuota: 0,
    models: null,
    allowAddresses: [],
    tokenGroup: chosen.group === userGroup ? '' : chosen.group,
    userId: id,
    username,
    userGroup,
    userRole: role,
    userStatus: status,
    acceptUnsetRatio: chosen.acceptUnsetRatio,
  }
}
