// The texts of a prompt, in all client dialects, without knowing any of them closely: used by checks of words.
import { isObject, type JsonObject } from '../../contract/json.ts'

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
] as const
const innerKeys = [
  'content',
  'parts',
  'text',
  'input_text',
  'output',
  'arguments',
  'thinking',
  'source',
] as const

/** All texts that the model will read, in order. */
export function* promptTexts(body: JsonObject): Generator<string> {
  for (const key of contentKeys) if (body[key] !== undefined) yield* textsIn(body[key], 12)
}

function* textsIn(value: unknown, depth: number): Generator<string> {
  if (typeof value === 'string') {
    yield value
  } else if (depth > 0 && Array.isArray(value)) {
    for (const inner of value) yield* textsIn(inner, depth - 1)
  } else if (depth > 0 && isObject(value)) {
    // A plain-text document: the `data` of other sources is no text.
    if (value['type'] === 'text' && typeof value['data'] === 'string') yield value['data']
    for (const key of innerKeys) if (value[key] !== undefined) yield* textsIn(value[key], depth - 1)
  }
}
