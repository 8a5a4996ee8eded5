// What several checks of a plugin's entries ask of a value.
import { isObject } from '../contract/json.ts'

/** A number that can be a price, an amount or a weight. */
export function isFigure(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

/** Words in both languages. */
export function isWords(value: unknown): boolean {
  return isObject(value) && typeof value['en'] === 'string' && typeof value['zh'] === 'string'
}
