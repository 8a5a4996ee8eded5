import type { MediaSource, OpaqueState, Part, Turn } from '../../contract/neutral.ts'
import { asText, isObject, type JsonObject } from '../../contract/json.ts'
import type { Fields } from '../neutral/fields.ts'
import { requestInvalid } from '../neutral/request-errors.ts'
import { ConversationCalls } from './call-ids.ts'
import { insideCamel, itemsOf } from './fields.ts'
import { functionCallPart } from './parse-function-call.ts'
import { joinModelTurns } from '../neutral/turns.ts'
import { anyToolText, codeFence, outputFence } from '../neutral/server-tool-text.ts'

export function parseContents(body: Fields): Turn[] {
  const calls = new ConversationCalls()
  const contents = itemsOf(body, 'contents')
  if (contents.length === 0) throw requestInvalid('contents', 'is required')
  return joinModelTurns(
    contents.map((content) => ({
      role: isOfModel(content) ? 'model' : 'user',
      parts: itemsOf(content, 'parts').flatMap((part) => parsePart(part, calls)),
    })),
  )
}

/** Witsy and others write a call of a function as OpenAI's `assistant`. Read as words of the user, it would be lost. */
function isOfModel(content: Fields): boolean {
  const role = content.text('role')
  return role === 'model' || role === 'assistant'
}

/** A Content, its parts, or a plain text. */
export function parseSystem(body: Fields): Part[] {
  const value = body.body.systemInstruction
  if (typeof value === 'string') return value === '' ? [] : [{ kind: 'text', text: value }]
  const content = insideCamel(body, 'systemInstruction')
  if (content === undefined) return []
  return itemsOf(content, 'parts').flatMap((part): Part[] => {
    const text = part.text('text')
    if (text === undefined)
      throw requestInvalid(part.name('text'), 'a system instruction may hold text only')
    return text === '' ? [] : [{ kind: 'text', text }]
  })
}

function parsePart(part: Fields, calls: ConversationCalls): Part[] {
  const { body } = part
  const state = sealOf(part)
  const sealed = state === undefined ? {} : { state }
  if (typeof body.text === 'string') return textPart(body, sealed)
  if (body.inlineData !== undefined) return [shownPart(inlineSource(part), sealed)]
  if (body.fileData !== undefined) return [mediaPart(fileSource(part))]
  if (body.functionCall !== undefined) return [functionCallPart(part, calls, sealed)]
  if (body.functionResponse !== undefined) return [resultPart(part, calls)]
  const code = codeText(body) ?? ownToolText(body)
  if (code !== undefined) return [{ kind: 'text', text: code }]
  return state === undefined ? [] : [{ kind: 'text', text: '', state }]
}

function sealOf(part: Fields): OpaqueState | undefined {
  const data = part.text('thoughtSignature')
  return data === undefined || data === '' ? undefined : { owner: 'gemini', data }
}

function textPart(body: JsonObject, sealed: { state?: OpaqueState }): Part[] {
  const text = body.text as string
  if (body.thought === true) return [{ kind: 'reasoning', text, ...sealed }]
  return text === '' && sealed.state === undefined ? [] : [{ kind: 'text', text, ...sealed }]
}

function inlineSource(part: Fields): MediaSource {
  const data = insideCamel(part, 'inlineData') ?? part
  return {
    type: 'base64',
    mediaType: data.text('mimeType') ?? 'application/octet-stream',
    data: usualBase64(data.requiredText('data')),
  }
}

/** Google reads both alphabets, with padding or without, and its SDK for Python writes the one for addresses. */
function usualBase64(data: string): string {
  const usual = /[-_]/.test(data) ? data.replaceAll('-', '+').replaceAll('_', '/') : data
  return usual.length % 4 < 2 ? usual : usual.padEnd(usual.length + 4 - (usual.length % 4), '=')
}

function fileSource(part: Fields): MediaSource {
  const file = insideCamel(part, 'fileData') ?? part
  const mediaType = file.text('mimeType')
  const url = file.requiredText('fileUri')
  // Files stored at Google cannot be read by anybody else.
  if (/^(?:gs:|https:\/\/generativelanguage\.googleapis\.com\/)/.test(url)) {
    return { type: 'file_id', id: url, dialect: 'gemini' }
  }
  return {
    type: 'url',
    url,
    ...(mediaType === undefined ? {} : { mediaType }),
  }
}

function mediaPart(source: MediaSource): Part {
  const mediaType = 'mediaType' in source ? (source.mediaType ?? '') : ''
  if (source.type === 'base64' && mediaType.startsWith('audio/')) {
    return { kind: 'audio', data: source.data, mediaType }
  }
  return { kind: mediaType.startsWith('image/') ? 'image' : 'file', source }
}

function shownPart(source: MediaSource, sealed: { state?: OpaqueState }): Part {
  const part = mediaPart(source)
  return part.kind === 'image' ? { ...part, ...sealed } : part
}

function resultPart(part: Fields, calls: ConversationCalls): Part {
  const result = insideCamel(part, 'functionResponse') ?? part
  const call = calls.callOfResult(result.text('id'), result.requiredText('name'))
  const response = result.object('response') ?? {}
  const media = itemsOf(result, 'parts').flatMap((inner) => parsePart(inner, calls))
  return {
    kind: 'tool_result',
    callId: call.id,
    name: call.name,
    content: [{ kind: 'text', text: responseText(response) }, ...media],
    ...(isErrorOnly(response) ? { isError: true } : {}),
  }
}

function isErrorOnly(response: JsonObject): boolean {
  return response.error !== undefined && Object.keys(response).length === 1
}

/** An object with one key that only wraps a text is read as that text. */
function responseText(response: JsonObject): string {
  const keys = Object.keys(response)
  const only = keys[0]
  if (keys.length === 1 && only !== undefined) {
    const value = response[only]
    const isWrapper =
      only === 'content' || only === 'output' || only === 'error' || only === 'result'
    if (isWrapper && typeof value === 'string') return value
    if (only === 'result' && Array.isArray(value)) return JSON.stringify(value)
  }
  return JSON.stringify(response)
}

/** What Gemini's built-in tools did, as text for other providers. */
export function codeText(part: JsonObject): string | undefined {
  if (isObject(part.executableCode)) {
    const { code, language } = part.executableCode
    return codeFence(asText(language).toLowerCase(), asText(code))
  }
  if (isObject(part.codeExecutionResult)) return outputFence(part.codeExecutionResult.output)
  return undefined
}

/** Calls of Google's own tools in the conversation; these parts name the tool. */
function ownToolText(part: JsonObject): string | undefined {
  for (const key of ['toolCall', 'toolResponse']) {
    const call = part[key]
    if (!isObject(call)) continue
    const said = call.args ?? call.response
    return anyToolText(asText(call.toolType) || key, isObject(said) ? said : {})
  }
  return undefined
}
