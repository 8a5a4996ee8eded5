import { isObject, type JsonObject } from '../../contract/json.ts'
import { Fields } from '../neutral/fields.ts'

/** The API accepts both `systemInstruction` and `system_instruction`; the keys of an object are read as the former. */
export function camelKeys(body: JsonObject): JsonObject {
  const result: JsonObject = {}
  for (const [key, value] of Object.entries(body)) {
    result[
      key.includes('_')
        ? key.replace(/_([a-z])/g, (_whole, letter: string) => letter.toUpperCase())
        : key
    ] = value
  }
  return result
}

function camelFields(fields: Fields): Fields {
  return new Fields(camelKeys(fields.body), fields.path)
}

export function insideCamel(fields: Fields, key: string): Fields | undefined {
  const inner = fields.inside(key)
  return inner === undefined ? undefined : camelFields(inner)
}

/** A list, or the single object that some clients send instead. */
export function itemsOf(fields: Fields, key: string): Fields[] {
  const value = fields.body[key]
  return isObject(value)
    ? [camelFields(new Fields(value, fields.name(key)))]
    : fields.items(key).map(camelFields)
}
