import { isObject } from '../../../core/contract/json.ts'

export type Entry = [name: string, value: string]

/** Whether the JSON can be shown as rows of name and value. Empty text can. */
export function isTabular(text: string): boolean {
  if (text.trim() === '') return true
  const parsed = parsedOf(text)
  return Array.isArray(parsed) ? parsed.every(isSingle) : isObject(parsed)
}

export function readEntries(text: string): Entry[] {
  const parsed = text.trim() === '' ? {} : parsedOf(text)
  const maps = Array.isArray(parsed) ? (parsed as unknown[]) : [parsed]
  return maps.flatMap((map) =>
    Object.entries(map as object).map(
      ([name, value]: [string, unknown]): Entry => [
        name,
        typeof value === 'string' && parsedOf(value) === undefined ? value : JSON.stringify(value),
      ],
    ),
  )
}

/** Writes rows as JSON. Rows without a name are left out, no rows give an empty text, and a list gets one map per
 *  row. */
export function writeEntries(entries: readonly Entry[], isList = false): string {
  const sound = entries
    .filter(([name]) => name.trim() !== '')
    .map(([name, value]) => [name.trim(), parsedOf(value) ?? value] as const)
  if (sound.length === 0) return ''
  const whole = isList
    ? sound.map(([name, value]) => ({ [name]: value }))
    : Object.fromEntries(sound)
  return JSON.stringify(whole, undefined, 2)
}

function isSingle(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 1
}

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
