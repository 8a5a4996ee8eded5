import {
  type TNull,
  type TOptional,
  type TProperties,
  type TSchema,
  type TUnion,
  Type,
} from '@sinclair/typebox'

/** A field of a form. `null` counts as absent, because forms send whole records with empty fields. */
export type Maybe<T extends TSchema> = TOptional<TUnion<[T, TNull]>>

export const maybe = <T extends TSchema>(
  schema: T,
  about: { description?: string } = {},
): Maybe<T> => Type.Optional(Type.Union([schema, Type.Null()], about))

/** Columns as optional fields of a body. */
export function maybeAll<Columns extends TProperties>(
  columns: Columns,
): { [Name in keyof Columns]: Maybe<Columns[Name]> } {
  const fields = Object.entries(columns).map(([name, column]) => [name, maybe(column)] as const)
  return Object.fromEntries(fields) as { [Name in keyof Columns]: Maybe<Columns[Name]> }
}

/** Number inputs of older consoles send text. */
export const wholeNumber = (bounds: { maximum?: number } = {}) =>
  Type.Union([Type.Integer(bounds), Type.String({ pattern: '^-?\\d{1,15}$' })])

export const rowId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
