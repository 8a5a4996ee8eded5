// Schemas of request fields that many routes share. Bodies are never coerced, so each schema names all accepted forms.
import { Type } from '@sinclair/typebox'

export { maybe } from '../data/models/given-fields.ts'

/** A whole number, or its text: number inputs of older consoles send text. */
export const wholeNumber = (options: { minimum?: number; maximum?: number } = {}) =>
  Type.Union([
    Type.Integer({
      minimum: options.minimum ?? Number.MIN_SAFE_INTEGER,
      maximum: options.maximum ?? Number.MAX_SAFE_INTEGER,
    }),
    Type.String({ pattern: '^-?\\d{1,15}$' }),
  ])

/** Lists of ids for calls that delete. */
export const idList = () => Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 10_000 })

export const idInPath = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
})

/** The number that a `wholeNumber` field holds; undefined for null and absent. */
export function numberOf(value: number | string | null | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Number(value)
}

/** The whole number above 0 that a text of the query states; undefined for everything else. */
export function positiveOf(text: string | undefined): number | undefined {
  const value = Number(text?.trim() || Number.NaN)
  return Number.isSafeInteger(value) && value > 0 ? value : undefined
}
