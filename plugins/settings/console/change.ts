import { objectIn } from '#console'
import type { Change } from '../schema.ts'

const longestValue = 80
const mostEntries = 3

/** The change in one line: both values, or the entries of a map that differ; undefined if too long for a line. */
export function differenceOf({ old_value, new_value }: Change): string | undefined {
  if (old_value === null || new_value === null) return undefined
  const [before, after] = [mapOf(old_value), mapOf(new_value)]
  if (!before || !after) {
    const isShort = old_value.length <= longestValue && new_value.length <= longestValue
    return isShort ? `${shown(old_value)} → ${shown(new_value)}` : undefined
  }
  const names = [...new Set([...before.keys(), ...after.keys()])]
  const changed = names.filter((name) => before.get(name) !== after.get(name))
  const words = changed
    .slice(0, mostEntries)
    .map((name) => `${name}: ${before.get(name) ?? '–'} → ${after.get(name) ?? '–'}`)
  const more = changed.length - words.length
  return more > 0 ? `${words.join(', ')}, +${more}` : words.join(', ')
}

/** Whether the new value of the change is in use now. */
export function isInUse(change: Change, inUse: string | undefined): boolean {
  return !change.is_secret && isValue(change.new_value, change.new_size, inUse)
}

/** Whether the old value of the change is in use now. */
export function wasInUse(change: Change, inUse: string | undefined): boolean {
  return isValue(change.old_value, change.old_size, inUse)
}

function isValue(value: string | null, size: number, inUse: string | undefined): boolean {
  return value !== null && inUse?.length === size && inUse.startsWith(value)
}

function shown(value: string): string {
  return value === '' ? '–' : value.replaceAll(/\s+/g, ' ')
}

function mapOf(text: string): Map<string, string> | undefined {
  const map = objectIn(text)
  return map && new Map(Object.entries(map).map(([name, entry]) => [name, JSON.stringify(entry)]))
}
