// The routes for responses that the gateway has written itself, because the provider that answered knows none. They are kept in
// memory for an hour after their last use. Source: platform.openai.com/docs/api-reference/responses.
import type { FastifyReply } from 'fastify'
import { isObject, type JsonObject } from '../../contract/json.ts'
import type { CallDeps } from '../call/relay-deps.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { asksForStream, type ProxiedResponse } from '../chat/background/response-proxy.ts'

type Query = ProxiedResponse['query']

export interface AskedOfOwn extends Omit<ProxiedResponse, 'stored'> {
  userId: number
}

const ITEMS_A_PAGE = 20
const MOST_ITEMS_A_PAGE = 100

/** @returns undefined if no node knows that response (any more)
 *  @throws AppError */
export async function answerOwn(
  { userId, id, method, suffix, query }: AskedOfOwn,
  reply: FastifyReply,
  { items }: Pick<CallDeps, 'items'>,
): Promise<FastifyReply | undefined> {
  if (method === 'DELETE') {
    const isForgotten = await items.forgetTurn(userId, id)
    return isForgotten ? reply.send({ id, object: 'response', deleted: true }) : undefined
  }
  const answer = await items.answer(userId, id)
  if (!answer) return undefined
  if (suffix === '/cancel') throw relayErrors.invalid({ reason: NOT_IN_BACKGROUND })
  if (suffix === '/input_items') {
    const input = await items.inputOf(userId, id)
    return input && reply.send(pageOf(inputItems(input, id), query))
  }
  if (asksForStream(query))
    throw relayErrors.invalid({ reason: NOT_STREAMED_AGAIN }, { field: 'stream' })
  return reply.send({ ...answer.head, output: answer.output })
}

const NOT_IN_BACKGROUND = 'Only a response that was made with background: true can be cancelled'
const NOT_STREAMED_AGAIN =
  'Only a response that was made with background: true can be streamed again'

/** @throws relay.invalid_request */
function pageOf(items: readonly JsonObject[], query: Query): JsonObject {
  const limit = limitIn(query)
  const inOrder = isAscending(query) ? items : items.toReversed()
  const start = placeAfter(inOrder, query)
  const data = inOrder.slice(start, start + limit)
  return {
    object: 'list',
    data,
    first_id: data[0]?.['id'] ?? null,
    last_id: data.at(-1)?.['id'] ?? null,
    has_more: start + limit < inOrder.length,
  }
}

function limitIn({ limit }: Query): number {
  if (limit === undefined) return ITEMS_A_PAGE
  const asked = typeof limit === 'string' && /^\d{1,3}$/.test(limit) ? Number(limit) : 0
  if (asked >= 1 && asked <= MOST_ITEMS_A_PAGE) return asked
  const reason = `limit must be a whole number from 1 to ${MOST_ITEMS_A_PAGE}`
  throw relayErrors.invalid({ reason }, { field: 'limit' })
}

function isAscending({ order }: Query): boolean {
  if (order === undefined || order === 'desc') return false
  if (order === 'asc') return true
  throw relayErrors.invalid({ reason: 'order must be "asc" or "desc"' }, { field: 'order' })
}

function placeAfter(items: readonly JsonObject[], { after }: Query): number {
  if (after === undefined) return 0
  const place = items.findIndex(({ id }) => id === after)
  if (place >= 0) return place + 1
  throw relayErrors.invalid({ reason: 'after names no item of this list' }, { field: 'after' })
}

/** A client may have sent one item twice; pages go on from an id, so each has its own. */
function inputItems(input: readonly JsonObject[], responseId: string): JsonObject[] {
  const ids = new Set<unknown>()
  return input.map((item, at) => {
    const { id } = item
    const kind = (item['type'] ?? 'message') === 'message' ? 'msg' : 'item'
    const own = `${kind}_${responseId.slice('resp_'.length)}_in${at}`
    const isNew = typeof id === 'string' && !ids.has(id)
    ids.add(id)
    return inputItem(item, isNew ? id : own)
  })
}

/** An item as it is told again: with an id, and its text in parts. */
function inputItem(item: JsonObject, id: string): JsonObject {
  const type = item['type'] ?? 'message'
  if (type !== 'message') return { ...item, id }
  return { status: 'completed', ...item, id, type, content: partsOf(item) }
}

function partsOf({ role, content }: JsonObject): JsonObject[] {
  if (Array.isArray(content)) return (content as unknown[]).filter(isObject)
  const text = typeof content === 'string' ? content : ''
  return role === 'assistant'
    ? [{ type: 'output_text', text, annotations: [] }]
    : [{ type: 'input_text', text }]
}
