import { isObject } from '../../contract/json.ts'

/** A parsed JSON value whose texts are Unicode: halves of surrogate pairs, which JSON can escape and programs leave when they
 *  cut a text, become U+FFFD. Providers refuse a body that holds one. The same value if there is none. */
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed()
  if (Array.isArray(value)) {
    const list = (value as unknown[]).map(wellFormed)
    return list.some((inner, at) => inner !== value[at]) ? list : value
  }
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(
    ([name, inner]) => [name.toWellFormed(), wellFormed(inner)] as const,
  )
  return entries.some(([name, inner]) => inner !== value[name])
    ? Object.fromEntries(entries)
    : value
}
