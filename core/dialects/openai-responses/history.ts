// Restores a conversation that other providers have answered in part before it is sent to OpenAI.
import { isObject, type JsonObject } from '../../contract/json.ts'

/** Ids of items that the gateway writes: a request id (14 digits of time, 9 of nanoseconds, 8 characters) and the
 *  position. OpenAI's ids never have this form. */
const OWN_ID = /^(?:msg|rs|fc|ctc|tsc|ig)_\d{23}[0-9A-Za-z]{8}_\d+$/

/** Removes what the gateway wrote when another provider answered: reasoning that is not sealed, pictures that only
 *  their provider knows, and the ids of all other items.
 *  @returns the same object if there is nothing to remove */
export function mendHistory(body: JsonObject): JsonObject {
  return withInput(body, (item) => {
    const isOwn = typeof item.id === 'string' && OWN_ID.test(item.id)
    if (item.type === 'reasoning' && !isSealed(item) && (isOwn || !item.id)) return undefined
    if (!isOwn || item.type === 'item_reference') return item
    if (item.type === 'image_generation_call') return undefined
    const { id: _id, ...rest } = item
    return rest
  })
}

/** Removes all reasoning, for an upstream that refused a seal because another account or provider made it. */
export function forgetThoughts(body: JsonObject): JsonObject {
  return withInput(body, (item) => (item.type === 'reasoning' ? undefined : item))
}

function isSealed({ encrypted_content: content }: JsonObject): boolean {
  return typeof content === 'string' && content !== ''
}

function withInput(
  body: JsonObject,
  edit: (item: JsonObject) => JsonObject | undefined,
): JsonObject {
  if (!Array.isArray(body.input)) return body
  const given = body.input as unknown[]
  const edited = given.map((item) => (isObject(item) ? edit(item) : item))
  return edited.every((item, index) => item === given[index])
    ? body
    : { ...body, input: edited.filter((item) => item !== undefined) }
}
