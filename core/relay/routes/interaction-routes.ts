// Google's Interactions API (decision 40): any model answers, because a request is read as one of generateContent and the answer written as steps.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ErrorWriter } from '../../contract/dialect.ts'
import type { JsonObject } from '../../contract/json.ts'
import { interactionWriters } from '../../dialects/gemini-interactions/index.ts'
import { readInput } from '../../dialects/gemini-interactions/steps.ts'
import { lostFields, toGemini } from '../../dialects/gemini-interactions/to-gemini.ts'
import { interactionId } from '../../dialects/gemini-interactions/write-answer.ts'
import type { ReadCall } from '../call/relay-call.ts'
import type { AccessDeps, CallDeps } from '../call/relay-deps.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { codecOf } from './client-dialect-codec.ts'
import { isTurnId } from '../conversation/answer-items.ts'
import { callCheck, callerOf } from '../intake/key-check.ts'
import { checkModelName } from '../intake/model-name.ts'
import { bytesOf, readObject } from '../intake/read-input.ts'
import { relay } from '../relay.ts'
import { ownInteractionRoutes } from './own-interactions.ts'

const codec = codecOf(interactionWriters)
const writeError: ErrorWriter = (error) => ({
  status: error.status,
  body: codec.writeError(error),
})

export function interactionRoutes(app: FastifyInstance, deps: AccessDeps & CallDeps): void {
  const config = { relay: { dialect: 'gemini' as const, writeError } }
  for (const version of ['v1', 'v1beta', 'v1alpha']) {
    app.post(
      `/${version}/interactions`,
      { config, onRequest: callCheck(deps, { gemini: true }) },
      async (request, reply) => {
        const input = await readCall(request, deps)
        await relay(input, reply, deps)
      },
    )
    ownInteractionRoutes(app, version, writeError, deps)
  }
}

/** @throws AppError */
async function readCall(
  request: FastifyRequest,
  { items }: Pick<CallDeps, 'items'>,
): Promise<ReadCall> {
  const sent = readObject(bytesOf(request))
  const { userId } = callerOf(request).identity
  const model = typeof sent['model'] === 'string' ? sent['model'].replace(/^models\//, '') : ''
  checkModelName(model)
  const previousId = previousOf(sent)
  const before = previousId === undefined ? [] : await items.conversation(userId, previousId)
  if (!before) throw unknownInteraction()
  const added = readInput(sent['input'])
  const body = toGemini(sent, [...before, ...added])
  const id = interactionId(request.id)
  const keepOutput = (output: readonly JsonObject[], head: JsonObject) =>
    items.keepTurn(userId, {
      id,
      previous: previousId,
      items: [...added, ...output],
      answer: { head, output },
    })
  return {
    operation: 'chat',
    dialect: 'gemini',
    requestedModel: model,
    isStream: sent['stream'] === true,
    bytes: Buffer.from(JSON.stringify(body)),
    body,
    form: undefined,
    includeUsage: true,
    lost: lostFields(sent),
    ownCodec: codec,
    previousId,
    keepOutput: sent['store'] === false ? undefined : keepOutput,
  }
}

/** @throws relay.invalid_request */
function previousOf({ previous_interaction_id: id }: JsonObject): string | undefined {
  if (id === undefined || id === null) return undefined
  if (isTurnId(id, 'int')) return id
  throw unknownInteraction()
}

const unknownInteraction = () =>
  relayErrors.invalid(
    { reason: 'This interaction is not known, or not any more: send its steps in input' },
    { field: 'previous_interaction_id' },
  )
