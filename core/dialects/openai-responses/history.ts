// A conversation that other providers answered in part, on its way back to OpenAI as it came.
import { isObject, type JsonObject } from '../../contract/json.ts'

/** Ids of the items that we write: a request id (14 digits of time, 9 of nanoseconds, 8 characters) and the place. OpenAI never gave them. */
const OWN_ID = /^(?:msg|rs|fc|ctc|tsc|ig)_\d{23}[0-9A-Za-z]{8}_\d+$/

/** Takes out what we wrote when another provider answered: thoughts without their sealed form, pictures that only their maker knows, and our ids
 *  of everything else. The same object when there is nothing. */
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

/** Leaves all thoughts out, for an upstream that refused the seal of one: it was another account's, or another provider's. */
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
