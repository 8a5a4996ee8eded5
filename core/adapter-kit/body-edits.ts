// Edits of JSON bodies that many adapters need. Each returns a new object, or the same one if nothing changes.
import type { Body } from '../contract/adapter.ts'

type Drop = (field: string) => void

export function without(body: Body, ...fields: readonly string[]): Body {
  if (!fields.some((field) => Object.hasOwn(body, field))) return body
  return Object.fromEntries(Object.entries(body).filter(([key]) => !fields.includes(key)))
}

/** Removes fields that the upstream refuses, and reports those that the client has set. */
export function withoutRefused(body: Body, fields: readonly string[], drop: Drop): Body {
  for (const field of fields) if (body[field] !== undefined) drop(field)
  return without(body, ...fields)
}

/** For upstreams that refuse unknown fields: removes all others, and reports them. */
export function onlyKnown(body: Body, known: ReadonlySet<string>, drop: Drop): Body {
  const unknown = Object.keys(body).filter((field) => !known.has(field))
  return unknown.length === 0 ? body : withoutRefused(body, unknown, drop)
}

/** Limits a number field to its range; anything but a number is left to the upstream. */
export function clamped(body: Body, field: string, range: { min?: number; max?: number }): Body {
  const value = body[field]
  if (typeof value !== 'number') return body
  const fitted = Math.min(Math.max(value, range.min ?? -Infinity), range.max ?? Infinity)
  return fitted === value ? body : { ...body, [field]: fitted }
}

/** Renames a field to the upstream's name; a value already under that name wins. */
export function renamed(body: Body, from: string, to: string): Body {
  const value = body[from]
  if (value === undefined) return body
  const rest = without(body, from)
  return { ...rest, [to]: rest[to] ?? value }
}
