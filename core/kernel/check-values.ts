// What several checks of a plugin's entries ask of a value.
import type { Text } from '../contract/errors.ts'
import { isObject } from '../contract/json.ts'

/** A number that can be a price, an amount or a weight. */
export function isFigure(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

/** Words in both languages. */
export function isWords(value: unknown): value is Text {
  return isObject(value) && typeof value['en'] === 'string' && typeof value['zh'] === 'string'
}
