// Edits of JSON bodies that many adapters need. Each gives a new object, or the very same one where nothing is to be changed.
import type { Body } from '../contract/adapter.ts'

export function without(body: Body, ...fields: readonly string[]): Body {
  if (!fields.some((field) => Object.hasOwn(body, field))) return body
  return Object.fromEntries(Object.entries(body).filter(([key]) => !fields.includes(key)))
}

/** A number field is brought into its range; anything but a number is left for the upstream to judge. */
export function clamped(body: Body, field: string, range: { min?: number; max?: number }): Body {
  const value = body[field]
  if (typeof value !== 'number') return body
  const fitted = Math.min(Math.max(value, range.min ?? -Infinity), range.max ?? Infinity)
  return fitted === value ? body : { ...body, [field]: fitted }
}

/** Gives a field its name at the upstream; a value that stands there already wins. */
export function renamed(body: Body, from: string, to: string): Body {
  const value = body[from]
  if (value === undefined) return body
  const rest = without(body, from)
  return { ...rest, [to]: rest[to] ?? value }
}
