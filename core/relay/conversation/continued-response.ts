// A Responses call that refers to what we wrote before, made whole, so that any model can answer it.
import type { JsonObject } from '../../contract/json.ts'
import type { ReadCall } from '../call/relay-call.ts'
import type { CallDeps } from '../call/relay-deps.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { refuseHidden } from '../intake/read-input.ts'
import { isTurnId } from './answer-items.ts'
import type { StoredResponse } from './stored-responses.ts'

type Asked = Pick<ReadCall, 'bytes' | 'body' | 'keepOutput' | 'previousId'>

interface Circumstances {
  userId: number
  requestId: string
  /** The provider's response that the call goes on from, which is left to the provider. */
  bound: StoredResponse | undefined
}

/** Puts the items in place of references to them, and the conversation that ends with a response of ours before the input. Unless the client forbids
 *  it, what is said now is kept for its next call.
 *  @throws relay.previous_response_not_found */
export async function withConversation<Call extends Asked>(
  read: Call,
  { userId, requestId, bound }: Circumstances,
  { items }: Pick<CallDeps, 'items'>,
): Promise<Call> {
  const { body } = read
  if (!body) return read
  const restored = await items.restore(userId, body)
  const { previous_response_id: previous, input, ...rest } = restored
  const previousId = !bound && isTurnId(previous, 'resp') ? previous : undefined
  const added = addedBy(input)
  let made = restored
  if (previousId !== undefined) {
    if (!added) throw relayErrors.invalid({ reason: NO_INPUT }, { field: 'input' })
    made = { ...rest, input: [...(await saidBefore(previousId, userId, items)), ...added] }
  }
  if (made !== body) refuseHidden(made)
  const keepOutput = (output: readonly JsonObject[], head: JsonObject) => {
    items.keep(userId, output)
    items.keepTurn(userId, {
      id: `resp_${requestId}`,
      previous: previousId,
      items: [...(added ?? []), ...output],
      answer: { head, output },
    })
  }
  return {
    ...read,
    body: made,
    bytes: made === body ? read.bytes : Buffer.from(JSON.stringify(made)),
    previousId,
    keepOutput: isKept(body) ? keepOutput : undefined,
  }
}

/** Answers in the background are made by providers that store them; nothing may hold their prompts for the hours that they take. */
function isKept({ store, background }: JsonObject): boolean {
  return store !== false && background !== true
}

export const NO_INPUT = 'input must be a text or a list of items'

/** The items of an input; it may be missing where a call goes on from another. */
function addedBy(input: unknown): JsonObject[] | undefined {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  if (input === undefined || input === null) return []
  return Array.isArray(input) ? (input as JsonObject[]) : undefined
}

async function saidBefore(id: string, userId: number, items: CallDeps['items']) {
  const before = await items.conversation(userId, id)
  if (before) return before
  throw relayErrors.previousUnknown({}, { field: 'previous_response_id' })
}
