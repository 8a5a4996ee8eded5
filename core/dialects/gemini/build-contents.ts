import type { BuildTarget } from '../../contract/dialect.ts'
import type { ChatRequest, MediaSource, Part, PartOf, Turn } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { imageType } from '../neutral/image-type.ts'
import { ownFileId, textOfFile } from '../neutral/media.ts'
import { geminiTakesMediaInResults, geminiVersion } from '../neutral/model-families.ts'
import { unsupportedParameter } from '../neutral/request-errors.ts'
import type { Rename } from '../neutral/tool-names.ts'
import { argumentObject, mergeTurns, shallowJson } from '../neutral/turns.ts'
import { signature } from './signature.ts'

/** The value that Google documents for a call whose signature is unknown. */
export const NO_SIGNATURE = 'skip_thought_signature_validator'

/** Instructions alone are a whole prompt elsewhere, a conversation may begin with the model, and a turn may say nothing; Gemini wants
 *  a turn of the user first, and before calls. */
const FILLER = '...'

const TAKEN = /^(?:image\/(?:png|jpe?g|webp|heic|heif)|audio\/|video\/|text\/|application\/pdf$)/

interface Contents {
  target: BuildTarget
  rename: Rename
  /** Function names by call id, because results name the function in this dialect. */
  names: Map<string, string>
}

export function buildContents(
  request: ChatRequest,
  target: BuildTarget,
  rename: Rename,
): JsonObject[] {
  const turns = mergeTurns(request.turns)
  const contents: Contents = { target, rename, names: namesOf(turns) }
  const built = turns.flatMap((turn) => {
    const parts =
      turn.role === 'user' ? userParts(turn.parts, contents) : modelParts(turn, contents)
    const lists = [parts, movedMedia(turn, target)].filter((list) => list.length > 0)
    if (lists.length === 0 && turn.role === 'user') lists.push([{ text: FILLER }])
    return lists.map((list) => ({ role: turn.role, parts: list }))
  })
  const isOpened = built[0]?.role === 'user'
  return isOpened ? built : [{ role: 'user', parts: [{ text: FILLER }] }, ...built]
}

function namesOf(turns: readonly Turn[]): Map<string, string> {
  const names = new Map<string, string>()
  for (const turn of turns) {
    for (const part of turn.parts) if (part.kind === 'tool_call') names.set(part.id, part.name)
  }
  return names
}

function userParts(parts: readonly Part[], contents: Contents): JsonObject[] {
  return parts.flatMap((part): JsonObject[] => {
    switch (part.kind) {
      case 'text':
        return part.text === '' ? [] : [{ text: part.text }]
      case 'image':
      case 'file':
        return [mediaPart(part.source)]
      case 'audio':
        return [audioPart(part)]
      case 'tool_result':
        return [resultPart(part, contents)]
      default:
        return []
    }
  })
}

function audioPart({ mediaType, data }: PartOf<'audio'>): JsonObject {
  return { inlineData: { mimeType: mediaType, data } }
}

/** URLs become fileData; the adapter downloads those that the API cannot reach (inline-files.ts). */
function mediaPart(source: MediaSource): JsonObject {
  switch (source.type) {
    case 'text':
      return { text: source.text }
    case 'url':
      return {
        fileData: {
          ...(source.mediaType === undefined ? {} : { mimeType: source.mediaType }),
          fileUri: source.url,
        },
      }
    case 'file_id':
      return { fileData: { fileUri: ownFileId(source, 'gemini') } }
    case 'base64': {
      const mimeType = imageType(source.mediaType, source.data)
      checkMediaType(mimeType)
      return { inlineData: { mimeType, data: source.data } }
    }
  }
}

/** @throws request.unsupported_parameter for a media type that the API refuses */
export function checkMediaType(mediaType: string): void {
  if (TAKEN.test(mediaType)) return
  throw unsupportedParameter('messages', `this model takes no file of type ${mediaType}`)
}

function resultPart(part: PartOf<'tool_result'>, { names, rename, target }: Contents): JsonObject {
  const name = rename(names.get(part.callId) ?? part.name ?? part.callId)
  const text = part.content
    .flatMap((inner) => {
      if (inner.kind === 'text') return [inner.text]
      return inner.kind === 'file' ? (textOfFile(inner) ?? []) : []
    })
    .join('\n')
  const media = geminiTakesMediaInResults(target.upstreamModel) ? resultMedia(part) : []
  const response = part.isError === true ? { error: text } : responseObject(text)
  return { functionResponse: { name, response, ...(media.length === 0 ? {} : { parts: media }) } }
}

/** Parts of a result hold media only; files of text are in its text. */
function resultMedia(part: PartOf<'tool_result'>): JsonObject[] {
  return part.content.flatMap((inner) => {
    if (inner.kind === 'audio') return [audioPart(inner)]
    const isMedia =
      inner.kind === 'image' || (inner.kind === 'file' && textOfFile(inner) === undefined)
    return isMedia ? [mediaPart(inner.source)] : []
  })
}

/** The media of results, for models that refuse them there. A content of its own, because that of the results is compared with the calls. */
function movedMedia(turn: Turn, target: BuildTarget): JsonObject[] {
  if (turn.role !== 'user' || geminiTakesMediaInResults(target.upstreamModel)) return []
  return turn.parts.flatMap((part) => (part.kind === 'tool_result' ? resultMedia(part) : []))
}

/** The API requires an object. */
function responseObject(text: string): JsonObject {
  let value: unknown
  try {
    value = shallowJson(text)
  } catch {
    return { content: text }
  }
  if (isObject(value)) return value
  return Array.isArray(value) ? { result: value } : { content: text }
}

function modelParts(turn: Turn, contents: Contents): JsonObject[] {
  let isFirstCall = true
  return turn.parts.flatMap((part): JsonObject[] => {
    switch (part.kind) {
      case 'text':
        return textParts(part)
      case 'refusal':
        return part.text === '' ? [] : [{ text: part.text }]
      case 'reasoning':
        return part.text === ''
          ? []
          : [{ text: part.text, thought: true, ...signature(part.state) }]
      case 'image':
        return [{ ...mediaPart(part.source), ...signature(part.state) }]
      case 'file':
        return [mediaPart(part.source)]
      case 'audio':
        return [audioPart(part)]
      case 'tool_call': {
        const call = callPart(part, contents, isFirstCall)
        isFirstCall = false
        return [call]
      }
      default:
        return []
    }
  })
}

const MARKDOWN_IMAGE = /!\[[^\][]*\]\(data:(image\/[\w.+-]+);base64,([A-Za-z0-9+/=]+)\)/g

/** Images that were shown to a chat client as Markdown are sent back as images. */
function textParts(part: PartOf<'text'>): JsonObject[] {
  const seal = signature(part.state)
  if (!part.text.includes('](data:image/')) {
    const isNothing = part.text === '' && seal.thoughtSignature === undefined
    return isNothing ? [] : [{ text: part.text, ...seal }]
  }
  const parts: JsonObject[] = []
  let at = 0
  for (const match of part.text.matchAll(MARKDOWN_IMAGE)) {
    if (match.index > at) parts.push({ text: part.text.slice(at, match.index) })
    parts.push({ inlineData: { mimeType: match[1], data: match[2] } })
    at = match.index + match[0].length
  }
  if (at < part.text.length) parts.push({ text: part.text.slice(at) })
  return parts
}

/** Gemini 3 refuses a step whose first call has no signature. */
function callPart(
  part: PartOf<'tool_call'>,
  { target, rename }: Contents,
  isFirst: boolean,
): JsonObject {
  const known = part.state ?? target.recallState?.(part.id)?.state
  const seal = signature(known)
  const needsSeal =
    isFirst &&
    seal.thoughtSignature === undefined &&
    (geminiVersion(target.upstreamModel) ?? 0) >= 3
  return {
    functionCall: { name: rename(part.name), args: argumentObject(part.arguments) },
    ...(needsSeal ? { thoughtSignature: NO_SIGNATURE } : seal),
  }
}
