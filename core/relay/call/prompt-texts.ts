// The texts of a prompt, in all client dialects, without knowing any of them closely: read by checks of words, changed by transforms.
import { isObject, type JsonObject } from '../../contract/json.ts'
import { checkJson } from '../../http/read-json.ts'

const contentKeys = [
  'system',
  'instructions',
  'messages',
  'input',
  'prompt',
  'suffix',
  'contents',
  'systemInstruction',
  'system_instruction',
  'query',
  'documents',
  'prediction',
] as const

/** What lies inside; the names of tools, roles and types are no texts. */
const innerKeys: ReadonlySet<string> = new Set([
  'content',
  'parts',
  'text',
  'input_text',
  'output',
  'thinking',
  'source',
  'reasoning_content',
  'refusal',
  'summary',
  'title',
  'context',
  'transcript',
  'tool_calls',
  'function',
  'function_call',
  'functionCall',
  'functionResponse',
  'function_response',
  'custom',
])
/** What tools are called with and answer: all that lies in it is text. */
const freeKeys: ReadonlySet<string> = new Set([
  'arguments',
  'args',
  'response',
  'input',
  'variables',
])

export type TextPath = readonly (string | number)[]
type Place = string | number

/** A value inside another; `isFree`: all that lies in it is text. */
interface Inner {
  place: Place
  value: unknown
  isFree: boolean
}

/** All texts that the model will read, in order. */
export function* promptTexts(body: JsonObject): Generator<string> {
  for (const key of contentKeys)
    if (body[key] !== undefined) yield* textsIn({ place: key, value: body[key], isFree: false })
}

function* textsIn(inner: Inner): Generator<string> {
  if (typeof inner.value !== 'string') {
    for (const deeper of innersOf(inner)) yield* textsIn(deeper)
    return
  }
  const parsed = jsonOf(inner)
  if (parsed === undefined) yield inner.value
  else yield* textsIn({ ...inner, place: '', value: parsed })
}

/** The body with each text as `change` gives it back; the same object where none is another. What is changed is copied, the rest is shared. */
export function mapPromptTexts(
  body: JsonObject,
  change: (text: string, path: TextPath) => string,
): JsonObject {
  let changed = body
  for (const key of contentKeys) {
    if (body[key] === undefined) continue
    const value = mapped({ place: key, value: body[key], isFree: false }, [key], change)
    if (value !== body[key]) changed = { ...changed, [key]: value }
  }
  return changed
}

/** All strings of a JSON value, its keys left alone. */
function mapStrings(value: unknown, change: (text: string, path: TextPath) => string): unknown {
  return mapped({ place: '', value, isFree: true }, [], change)
}

function mapped(
  inner: Inner,
  path: Place[],
  change: (text: string, path: TextPath) => string,
): unknown {
  const { value } = inner
  if (typeof value === 'string') {
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

/** The arguments of a tool stand in a text of their own: what counts is the JSON in it. */
function jsonOf({ place, value }: Inner): object | undefined {
  if (place !== 'arguments' || typeof value !== 'string' || !value.startsWith('{')) return undefined
  try {
    checkJson(value)
    return JSON.parse(value) as object
  } catch {
    return undefined
  }
}

function* innersOf({ value, isFree }: Inner): Generator<Inner> {
  if (Array.isArray(value)) {
    for (const [place, inner] of value.entries()) yield { place, value: inner, isFree }
  } else if (isObject(value)) {
    for (const place in value) {
      const inner = value[place]
      if (isFree) yield { place, value: inner, isFree }
      else if (innerKeys.has(place)) yield { place, value: inner, isFree: false }
      else if (freeKeys.has(place)) yield { place, value: inner, isFree: true }
      // A plain-text document: the `data` of other sources is no text.
      else if (place === 'data' && value['type'] === 'text' && typeof inner === 'string')
        yield { place, value: inner, isFree: false }
    }
  }
}

/** The strings inside a text that is JSON, else the text itself. */
export function mapJsonText(text: string, change: (text: string) => string): string {
  if (text === '') return text
  const parsed = jsonOf({ place: 'arguments', value: text, isFree: true })
  if (parsed === undefined) return change(text)
  const next = mapStrings(parsed, change)
  return next === parsed ? text : JSON.stringify(next)
}
