import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CallDeps } from '../call/relay-deps.ts'
import { callerOf } from '../intake/key-check.ts'
import { readInput, type RouteShape } from '../intake/read-input.ts'
import { relayAny } from './fallback-models.ts'

export async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  shape: RouteShape,
  deps: CallDeps,
): Promise<void> {
  const input = await readInput(request, shape, deps.options, deps.countFields)
  await relayAny(input, callerOf(request), request, reply, deps)
  // The client has left; hijacking keeps Fastify from sending an answer.
  if (!reply.sent) reply.hijack()
}
