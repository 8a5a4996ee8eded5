// What may be done with an interaction later. All interactions are written by the gateway and kept in memory for an hour after
// their last use. Source: ai.google.dev/api/interactions-api.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorWriter } from '../../contract/dialect.ts'
import type { AccessDeps, CallDeps } from '../call/relay-deps.ts'
import { asksForStream } from '../chat/background/response-proxy.ts'
import { relayErrors, unknownResponse } from '../call/relay-errors.ts'
import { isTurnId, type KnownAnswer } from '../conversation/answer-items.ts'
import { callCheck, callerOf } from '../intake/key-check.ts'

interface Asked {
  Params: { id: string }
  Querystring: Readonly<Record<string, string | string[]>>
}

export function ownInteractionRoutes(
  app: FastifyInstance,
  version: string,
  writeError: ErrorWriter,
  deps: AccessDeps & CallDeps,
): void {
  const common = {
    config: { relay: { dialect: 'gemini' as const, writeError } },
    onRequest: callCheck(deps, { gemini: true }),
  }
  const url = `/${version}/interactions/:id`
  app.get<Asked>(url, common, (request) => read(request, deps))
  app.delete<Asked>(url, common, (request, reply) => remove(request, reply, deps))
  app.post<Asked>(`${url}/cancel`, common, (request) => refuseToCancel(request, deps))
}

async function read(request: FastifyRequest<Asked>, deps: Pick<CallDeps, 'items'>) {
  const { head, added, output } = await find(request, deps)
  const { include_input: includeInput } = request.query
  if (asksForStream(request.query))
    throw relayErrors.invalid({ reason: ENDED_STREAM }, { field: 'stream' })
  const input = includeInput === 'true' ? { input: added } : {}
  return { ...head, ...input, steps: output }
}

async function remove(
  request: FastifyRequest<Asked>,
  reply: FastifyReply,
  deps: Pick<CallDeps, 'items'>,
): Promise<FastifyReply> {
  const { id } = request.params
  const { userId } = callerOf(request).identity
  if (isTurnId(id, 'int') && (await deps.items.forgetTurn(userId, id))) return reply.send({})
  throw unknownResponse(id)
}

async function refuseToCancel(request: FastifyRequest<Asked>, deps: Pick<CallDeps, 'items'>) {
  await find(request, deps)
  throw relayErrors.invalid({ reason: ENDED })
}

const ENDED_STREAM = 'The stream of an interaction that has ended cannot be read again'
const ENDED = 'The interaction has ended: there is nothing to cancel'

/** @throws relay.response_not_found, also of another user's */
async function find(
  request: FastifyRequest<Asked>,
  { items }: Pick<CallDeps, 'items'>,
): Promise<KnownAnswer> {
  const { id } = request.params
  const { userId } = callerOf(request).identity
  const known = isTurnId(id, 'int') ? await items.answer(userId, id) : undefined
  if (known) return known
  throw unknownResponse(id)
}
