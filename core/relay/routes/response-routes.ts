// /v1/responses and the routes for stored responses, which are their owner's alone. One that a provider stores is reached with the
// channel and key that made it.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SseEvent } from '../../contract/dialect.ts'
import type { UpstreamResponse } from '../../contract/http-client.ts'
import { isObject } from '../../contract/json.ts'
import { whenClosed } from '../../net/clients/when-closed.ts'
import type { Attempt } from '../attempt/attempt.ts'
import { LARGEST_ANSWER_BYTES, readText } from '../attempt/read-answer.ts'
import { judgeCall } from '../failure/judge-call.ts'
import { answerTokenCount } from './count-tokens.ts'
import { relayWithFallbacks } from '../relay-with-fallbacks.ts'
import { answerOwn } from './own-responses.ts'
import { groupOf } from '../intake/admit.ts'
import { readInput } from '../intake/read-input.ts'
import type { ReadCall, RelayCaller } from '../call/relay-call.ts'
import type { AccessDeps, CallDeps } from '../call/relay-deps.ts'
import type { StoredResponse } from '../conversation/stored-responses.ts'
import { isTurnId } from '../conversation/answer-items.ts'
import { withConversation } from '../conversation/continued-response.ts'
import { relayErrors, unknownResponse } from '../call/relay-errors.ts'
import { refuseStored } from '../hooks/unseen-answers.ts'
import { requestIdHeaders } from '../../http/request-id.ts'
import { callCheck, callerOf } from '../intake/key-check.ts'
import { SseSplitter } from '../../wire/sse.ts'
import { sendClientError } from '../failure/send-error.ts'
import {
  type InstructionsEraser,
  instructionsEraser,
} from '../chat/prepare/channel-instructions.ts'
import { isPending, reportUsage } from '../chat/background/background-answer.ts'
import {
  asksForStream,
  proxyResponse,
  responseProxyAttempt,
  type ProxiedResponse,
} from '../chat/background/response-proxy.ts'
import { parseLoosely } from '../../wire/parse-loosely.ts'

const storedRoutes: readonly { method: ProxiedResponse['method']; suffix: string }[] = [
  { method: 'GET', suffix: '' },
  { method: 'DELETE', suffix: '' },
  { method: 'POST', suffix: '/cancel' },
  { method: 'GET', suffix: '/input_items' },
]

export function responseRoutes(app: FastifyInstance, deps: AccessDeps & CallDeps): void {
  const common = {
    config: { relay: { dialect: 'openai-responses' as const } },
    onRequest: callCheck(deps, {}),
  }
  app.post('/v1/responses', common, (request, reply) => create(request, reply, deps))
  app.post('/v1/responses/input_tokens', common, (request, reply) => count(request, reply, deps))
  for (const { method, suffix } of storedRoutes) {
    app.route<{ Params: { id: string }; Querystring: ProxiedResponse['query'] }>({
      ...common,
      method,
      url: `/v1/responses/:id${suffix}`,
      handler: (request, reply) => answerStored(request, reply, { method, suffix }, deps),
    })
  }
}

/** A response that continues a stored one goes to the channel that made it. An id that nobody here has made may belong
 *  to the provider's account: the upstream decides. */
async function create(request: FastifyRequest, reply: FastifyReply, deps: CallDeps): Promise<void> {
  const caller = callerOf(request)
  const shape = { operation: 'chat', dialect: 'openai-responses' } as const
  const read = await readInput(request, shape, deps.options)
  const bound = await previousOf(read, caller, deps)
  const input = await withConversation(read, { ...madeBy(request), bound }, deps)
  await relayWithFallbacks(bound ? { ...input, bound } : input, reply, deps)
}

/** Source: developers.openai.com, guide "Counting tokens". */
async function count(request: FastifyRequest, reply: FastifyReply, deps: CallDeps) {
  const caller = callerOf(request)
  const shape = { operation: 'responses.input_tokens', dialect: 'openai-responses' } as const
  const read = await readInput(request, shape, deps.options)
  const bound = await previousOf(read, caller, deps)
  const input = await withConversation(read, { ...madeBy(request), bound }, deps)
  const counted = await answerTokenCount({ ...input, ...shape, bound }, request, reply, deps)
  return { ...counted, object: 'response.input_tokens' }
}

function madeBy(request: FastifyRequest): { userId: number; requestId: string } {
  return { userId: callerOf(request).identity.userId, requestId: request.id }
}

/** The provider's response that a call goes on from.
 *  @throws relay.previous_response_not_found if another user made it */
async function previousOf(
  { body }: ReadCall,
  { identity }: RelayCaller,
  { responses, items }: Pick<CallDeps, 'responses' | 'items'>,
): Promise<StoredResponse | undefined> {
  const previous = body?.['previous_response_id']
  if (typeof previous !== 'string' || previous === '') return undefined
  const { userId } = identity
  if (items.hasTurn(userId, previous)) return undefined
  // A provider that is a gateway like this one has ids of the same form; mostly they are of other nodes, which are asked next.
  const bound = await responses.find(userId, previous, !isTurnId(previous, 'resp'))
  if (bound === 'foreign') throw relayErrors.previousUnknown({}, { field: 'previous_response_id' })
  return bound
}

async function answerStored(
  request: FastifyRequest<{ Params: { id: string }; Querystring: ProxiedResponse['query'] }>,
  reply: FastifyReply,
  { method, suffix }: Pick<ProxiedResponse, 'method' | 'suffix'>,
  deps: CallDeps,
): Promise<unknown> {
  const { id } = request.params
  const caller = callerOf(request)
  const { userId } = caller.identity
  const own = { userId, id, method, suffix, query: request.query }
  const isOurs = isTurnId(id, 'resp')
  if (isOurs && deps.items.hasTurn(userId, id)) return known(await answerOwn(own, reply, deps), id)
  // As in `previousOf`.
  const stored = await deps.responses.find(userId, id, !isOurs)
  if (isOurs && !stored) return known(await answerOwn(own, reply, deps), id)
  const channel = stored && stored !== 'foreign' ? deps.index().find(stored.channelId) : undefined
  if (!stored || stored === 'foreign' || !channel) throw unknownResponse(id)
  if (method === 'GET') refuseStored(viewOfStored(stored, caller, request, deps), deps)
  if (!channel.isEnabled) throw relayErrors.noChannel({ model: stored.model, group: '' })
  try {
    const attempt = responseProxyAttempt(request, reply, { stored, channel }, deps)
    if (method === 'DELETE') await reportUsage(attempt, id, deps)
    const response = await proxyResponse(attempt, { id, method, suffix, query: request.query })
    if (method === 'DELETE') await deps.responses.forget(userId, id)
    whenClosed(reply.raw, () => attempt.share.close())
    const reads = suffix === '/input_items' ? undefined : deps.background.reads
    const asked = { id, model: stored.model, after: placeIn(request.query), reads }
    return await pass(response, asked, attempt, request, reply)
  } catch (error) {
    const { clientError, retryAfterSeconds } = judgeCall(
      error,
      { request, requestId: request.id, language: request.language },
      channel,
    )
    reply.hijack()
    sendClientError(reply, 'openai-responses', clientError, retryAfterSeconds)
    return undefined
  }
}

/** @throws relay.response_not_found */
function known(answered: FastifyReply | undefined, id: string): FastifyReply {
  if (answered) return answered
  throw unknownResponse(id)
}

function viewOfStored(
  { model }: StoredResponse,
  { identity }: RelayCaller,
  { id: requestId, query }: FastifyRequest,
  deps: CallDeps,
): Parameters<typeof refuseStored>[0] {
  const { userId, tokenId } = identity
  const isStream = asksForStream(query as ProxiedResponse['query'])
  return { requestId, userId, tokenId, group: groupOf(identity, deps, model), model, isStream }
}

/** Passes an answer on, without the channel's instructions. In a whole answer the model gets the name that the client knows. */
async function pass(
  response: UpstreamResponse,
  { id, model, after, reads }: AskedResponse,
  { share, context }: Attempt,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const type = response.headers['content-type'] ?? 'application/json; charset=utf-8'
  reply.headers(requestIdHeaders(request.id)).type(type)
  const eraser = instructionsEraser({ dialect: 'openai-responses' }, context)
  if (type.includes('text/event-stream'))
    return reply.send(Readable.from(streamOf(response, eraser, reads?.stream(id, model, after))))
  const text = await readText(response, LARGEST_ANSWER_BYTES, { share })
  const body = parseLoosely(text)
  if (!isObject(body)) return reply.send(text)
  if (isPending(body)) reads?.whole(id, model, body)
  const shown = eraser?.body(body) ?? body
  const isRenamed = typeof body['model'] === 'string' && body['model'] !== model
  if (!isRenamed && shown === body) return reply.send(text)
  return reply.send(JSON.stringify(isRenamed ? { ...shown, model } : shown))
}

/** A response of which something is read. */
interface AskedResponse {
  id: string
  model: string
  /** The event behind which a stream begins. */
  after: number
  /** Undefined where nothing of the answer is read. */
  reads: CallDeps['background']['reads'] | undefined
}

/** Of OpenAI's `starting_after`; -1 at the beginning. */
function placeIn({ starting_after: after }: ProxiedResponse['query']): number {
  return typeof after === 'string' && /^\d{1,9}$/.test(after) ? Number(after) : -1
}

function streamOf({ body }: UpstreamResponse, eraser: InstructionsEraser | undefined, read: Read) {
  return eraser ? erased(body, eraser, read) : counted(body, read)
}

type Read = ReturnType<CallDeps['background']['reads']['stream']> | undefined

/** A stream as it comes; its events are counted on the way. */
async function* counted(pieces: AsyncIterable<Uint8Array>, read: Read): AsyncGenerator<Uint8Array> {
  const splitter = new SseSplitter()
  let isCounting = read !== undefined
  try {
    for await (const piece of pieces) {
      try {
        if (isCounting) splitter.read(piece, (event) => read?.see(event))
      } catch {
        // An event that is too long to be read, such as one with a picture.
        isCounting = false
      }
      yield piece
    }
  } finally {
    read?.end()
  }
}

async function* erased(
  pieces: AsyncIterable<Uint8Array>,
  eraser: InstructionsEraser,
  read: Read,
): AsyncGenerator<string> {
  const splitter = new SseSplitter()
  const shown = (event: SseEvent) => {
    read?.see(event)
    return eraser.event(event).raw
  }
  try {
    for await (const piece of pieces) yield splitter.push(piece).map(shown).join('')
    for (const event of splitter.end()) yield shown(event)
  } finally {
    read?.end()
  }
}
