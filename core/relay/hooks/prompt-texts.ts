// Finds the texts of a prompt in a body of any client dialect: word checks read them, transforms change them.
import { isObject, type JsonObject } from '../../contract/json.ts'
import { checkJson } from '../../http/bodies/read-json.ts'
import { outerPlaces, type Scope, scopeInside } from './prompt-places.ts'

export type TextPath = readonly (string | number)[]
type Place = string | number

/** A value with the field that holds it. */
interface Inner {
  place: Place
  value: unknown
  scope: Scope
}

/** All texts that the model will read, in order. */
export function* promptTexts(body: JsonObject): Generator<string> {
  for (const [place, scope] of outerPlaces)
    if (body[place] !== undefined) yield* textsIn({ place, value: body[place], scope })
}

function* textsIn(inner: Inner): Generator<string> {
  if (typeof inner.value !== 'string') {
    for (const deeper of innersOf(inner)) yield* textsIn(deeper)
    return
  }
  if (inner.scope === 'declared') return
  const parsed = jsonOf(inner)
  if (parsed === undefined) yield inner.value
  else yield* textsIn({ ...inner, place: '', value: parsed })
}

/** The body with each text replaced by what `change` returns; the same object if none differs. Changed parts are
 *  copied, the rest is shared. */
export function mapPromptTexts(
  body: JsonObject,
  change: (text: string, path: TextPath) => string,
): JsonObject {
  let changed = body
  for (const [place, scope] of outerPlaces) {
    if (body[place] === undefined) continue
    const value = mapped({ place, value: body[place], scope }, [place], change)
    if (value !== body[place]) changed = { ...changed, [place]: value }
  }
  return changed
}

/** Changes all strings of a JSON value except its keys. */
function mapStrings(value: unknown, change: (text: string, path: TextPath) => string): unknown {
  return mapped({ place: '', value, scope: 'all' }, [], change)
}

function mapped(
  inner: Inner,
  path: Place[],
  change: (text: string, path: TextPath) => string,
): unknown {
  const { value } = inner
  if (typeof value === 'string') {
    if (inner.scope === 'declared') return value
    const parsed = jsonOf(inner)
    if (parsed === undefined) return changedText(value, path, change)
    const next = mapped({ ...inner, place: '', value: parsed }, path, change)
    return next === parsed ? value : JSON.stringify(next)
  }
  let copy: unknown[] | JsonObject | undefined
  for (const deeper of innersOf(inner)) {
    const next = mapped(deeper, [...path, deeper.place], change)
    if (next === deeper.value) continue
    copy ??= Array.isArray(value) ? [...(value as unknown[])] : { ...(value as JsonObject) }
    Object.assign(copy, { [deeper.place]: next })
  }
  return copy ?? value
}

function changedText(
  text: string,
  path: TextPath,
  change: (text: string, path: TextPath) => string,
): string {
  const next: unknown = change(text, path)
  if (typeof next !== 'string') throw new TypeError('a text was changed into what is no text')
  return next
}

const beginsJson = /^\s*[[{]/

/** A tool's arguments may be a string that holds JSON: then the texts are inside that JSON. */
function jsonOf({ place, value }: Inner): object | undefined {
  if (place !== 'arguments' || typeof value !== 'string' || !beginsJson.test(value))
    return undefined
  try {
    checkJson(value)
    return JSON.parse(value) as object
  } catch {
    return undefined
  }
}

function* innersOf({ value, scope }: Inner): Generator<Inner> {
  if (Array.isArray(value)) {
    for (const [place, inner] of value.entries()) yield { place, value: inner, scope }
  } else if (isObject(value)) {
    for (const place in value) {
      const inside = scopeInside(scope, value, place)
      if (inside) yield { place, value: value[place], scope: inside }
    }
  }
}

/** Changes the strings inside a text that is JSON, else the text itself. */
export function mapJsonText(text: string, change: (text: string) => string): string {
  if (text === '') return text
  const parsed = jsonOf({ place: 'arguments', value: text, scope: 'all' })
  if (parsed === undefined) return change(text)
  const next = mapStrings(parsed, change)
  return next === parsed ? text : JSON.stringify(next)
}
