// The steps of a conversation, which clients send as a text, as contents or as steps.
import { isObject, objectOf, type JsonObject } from '../../contract/json.ts'
import { compact } from '../neutral/fields.ts'
import { requestInvalid, unsupportedParameter } from '../neutral/request-errors.ts'

/** What a request adds to the conversation, as steps.
 *  @throws AppError request.invalid */
export function readInput(input: unknown): JsonObject[] {
  if (typeof input === 'string') return [userInput([{ type: 'text', text: input }])]
  const list: unknown[] = Array.isArray(input) ? (input as unknown[]) : [input]
  if (list.length === 0 || !list.every(isObject))
    throw requestInvalid('input', 'is a text, a content or a list of contents or steps')
  return list.every(({ type }) => contentTypes.has(type)) ? [userInput(list)] : list
}

const contentTypes: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'document', 'video'])

function userInput(content: JsonObject[]): JsonObject {
  return { type: 'user_input', content }
}

/** Steps of the same side in a row are one turn of generateContent.
 *  @throws AppError request.unsupported_parameter */
export function toContents(steps: readonly JsonObject[]): JsonObject[] {
  const contents: { role: string; parts: JsonObject[] }[] = []
  const names = new Map(steps.map(({ type, id, name }) => [type === 'function_call' && id, name]))
  let seal: JsonObject = {}
  for (const [place, step] of steps.entries()) {
    const isNameless = step['type'] === 'function_result' && step['name'] === undefined
    const named = isNameless ? { ...step, name: names.get(step['call_id']) } : step
    const { role, parts } = toParts(named, `input[${place}]`)
    // A signature stands in the step before what it seals.
    const [first, ...rest] = parts
    const sealed = first && step['type'] !== 'thought' ? [{ ...first, ...seal }, ...rest] : parts
    seal = step['type'] === 'thought' ? signatureOf(step) : {}
    const last = contents.at(-1)
    if (last?.role === role) last.parts.push(...sealed)
    else if (sealed.length > 0) contents.push({ role, parts: sealed })
  }
  return contents
}

function toParts(step: JsonObject, field: string): { role: string; parts: JsonObject[] } {
  switch (step['type']) {
    case 'user_input':
      return { role: 'user', parts: contentOf(step, field) }
    case 'model_output':
      return { role: 'model', parts: contentOf(step, field) }
    case 'thought':
      return {
        role: 'model',
        parts: textsOf(step['summary']).map((text) => ({ text, thought: true })),
      }
    case 'function_call': {
      const { id, name, arguments: args } = step
      return {
        role: 'model',
        parts: [{ functionCall: compact({ id, name, args: objectOf(args) }) }],
      }
    }
    case 'function_result':
      return { role: 'user', parts: [resultOf(step, field)] }
    default:
      // What providers' own tools were asked and found, which only they can read again.
      if (typeof step['type'] === 'string' && /_(?:call|result)$/.test(step['type']))
        return { role: 'model', parts: [] }
      throw unsupportedParameter(`${field}.type`, 'is no kind of step that is known here')
  }
}

function signatureOf({ signature }: JsonObject): JsonObject {
  return typeof signature === 'string' && signature !== '' ? { thoughtSignature: signature } : {}
}

function contentOf({ content }: JsonObject, field: string): JsonObject[] {
  const list = Array.isArray(content) ? (content as unknown[]) : [content]
  return list.map((entry, place) => toPart(objectOf(entry), `${field}.content[${place}]`))
}

function toPart(content: JsonObject, field: string): JsonObject {
  const { type, text, data, uri, mime_type } = content
  if (type === 'text' && typeof text === 'string') return { text }
  if (type === 'text' || !contentTypes.has(type))
    throw requestInvalid(field, 'is no text, image, audio, document or video')
  return typeof data === 'string'
    ? { inlineData: compact({ mimeType: mime_type, data }) }
    : { fileData: compact({ mimeType: mime_type, fileUri: uri }) }
}

function textsOf(summary: unknown): string[] {
  const list = Array.isArray(summary) ? (summary as unknown[]) : []
  return list.map((entry) => objectOf(entry)['text']).filter((text) => typeof text === 'string')
}

/** A text, an object, or contents. */
function resultOf({ call_id, name, result, is_error }: JsonObject, field: string): JsonObject {
  const isList = Array.isArray(result)
  const texts = isList ? textsOf(result).join('\n') : result
  const media = isList
    ? contentOf({ content: result }, field).filter((part) => part['text'] === undefined)
    : []
  const said = isObject(texts) ? texts : { [is_error === true ? 'error' : 'result']: texts }
  return {
    functionResponse: compact({
      id: call_id,
      name: name ?? 'function',
      response: said,
      parts: media.length > 0 ? media : undefined,
    }),
  }
}
