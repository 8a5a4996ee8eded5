// The steps of a conversation, which clients send as a text, as contents or as steps.
import { asText, isObject, objectOf, type JsonObject } from '../../contract/json.ts'
import { compact } from '../neutral/fields.ts'
import { imageType } from '../neutral/image-type.ts'
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
  const add = (role: string, parts: JsonObject[]) => {
    const last = contents.at(-1)
    if (last?.role === role) last.parts.push(...parts)
    else if (parts.length > 0) contents.push({ role, parts })
  }
  const names = new Map(steps.map(({ type, id, name }) => [type === 'function_call' && id, name]))
  let seal: JsonObject = {}
  for (const [place, step] of steps.entries()) {
    const isNameless = step['type'] === 'function_result' && step['name'] === undefined
    const named = isNameless ? { ...step, name: names.get(step['call_id']) } : step
    const { role, parts } = toParts(named, `input[${place}]`)
    const [first, ...rest] = parts
    if (step['type'] === 'thought') {
      add(role, parts)
      seal = { ...seal, ...signatureOf(step) }
    } else if (first) {
      // A signature stands in the step before what it seals; the one that an answer ends with seals nothing more.
      const isLeft = role === 'user' && seal['thoughtSignature'] !== undefined
      if (isLeft) add('model', [{ text: '', ...seal }])
      add(role, role === 'user' ? parts : [{ ...first, ...seal }, ...rest])
      seal = {}
    }
  }
  return contents
}

function toParts(step: JsonObject, field: string): { role: string; parts: JsonObject[] } {
  switch (step['type']) {
    case 'user_input':
      return { role: 'user', parts: contentOf(step['content'], `${field}.content`) }
    case 'model_output':
      return { role: 'model', parts: contentOf(step['content'], `${field}.content`) }
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

function contentOf(content: unknown, field: string): JsonObject[] {
  if (content === undefined || content === null) return []
  const list: unknown[] = Array.isArray(content) ? (content as unknown[]) : [content]
  return list.map((entry, place) => toPart(objectOf(entry), `${field}[${place}]`))
}

function toPart(content: JsonObject, field: string): JsonObject {
  const { type, text, data, uri } = content
  if (type === 'text' && typeof text === 'string') return { text }
  if (type === 'text' || !contentTypes.has(type))
    throw requestInvalid(field, 'is no text, image, audio, document or video')
  const mimeType = content['mime_type'] ?? imageType(usualTypes[String(type)] ?? '', asText(data))
  if (typeof data === 'string') return { inlineData: { mimeType, data } }
  if (typeof uri === 'string') return { fileData: { mimeType, fileUri: uri } }
  throw requestInvalid(field, 'has neither data nor uri')
}

/** What a content is without its `mime_type`. */
const usualTypes: Readonly<Record<string, string>> = {
  image: 'image/png',
  audio: 'audio/wav',
  document: 'application/pdf',
  video: 'video/mp4',
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
    ? contentOf(result, `${field}.result`).filter((part) => part['text'] === undefined)
    : []
  const error = isObject(texts) ? JSON.stringify(texts) : texts
  const heard = isObject(texts) ? texts : { result: texts }
  return {
    functionResponse: compact({
      id: call_id,
      name: name ?? 'function',
      response: is_error === true ? { error } : heard,
      parts: media.length > 0 ? media : undefined,
    }),
  }
}
