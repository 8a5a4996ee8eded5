// OpenAI refuses a list whose schema does not say what it holds ("array schema missing items"); the others take it.
import { isObject, type JsonObject } from '../../contract/json.ts'

/** Places of values, which may look like a schema. */
const VALUES: ReadonlySet<string> = new Set(['default', 'enum', 'const', 'examples'])

/** The schema with `items: {}` for each list without: it may hold anything. The same object if there is none. */
export function withItems(schema: JsonObject): JsonObject {
  let isSame = true
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    const told = VALUES.has(key) ? value : itemsWithin(value)
    if (told !== value) isSame = false
    return [key, told]
  })
  if (!isOpenList(schema)) return isSame ? schema : Object.fromEntries(entries)
  return Object.fromEntries([...entries, ['items', {}]])
}

function itemsWithin(value: unknown): unknown {
  if (isObject(value)) return withItems(value)
  if (!Array.isArray(value)) return value
  const told = value.map(itemsWithin)
  return told.every((entry, index) => entry === value[index]) ? value : told
}

function isOpenList({ type, items, prefixItems }: JsonObject): boolean {
  const isList = type === 'array' || (Array.isArray(type) && type.includes('array'))
  return isList && items === undefined && prefixItems === undefined
}
