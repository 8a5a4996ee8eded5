import type { CacheMark, Part, PartOf } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { imageType } from '../neutral/image-type.ts'
import { ownFileId } from '../neutral/media.ts'
import { unsupportedParameter } from '../neutral/request-errors.ts'
import { fitCallId, type Rename } from '../neutral/tool-names.ts'
import { argumentObject } from '../neutral/turns.ts'

type MediaPart = PartOf<'image' | 'file'>

function mark(cache: CacheMark | undefined): JsonObject {
  return cache === undefined ? {} : { cache_control: cache.control }
}

/** Blocks of a user's turn.
 *  @throws request.unsupported_parameter for audio, which no Claude model takes */
export function userBlocks(parts: readonly Part[]): JsonObject[] {
  return parts.flatMap(userBlock)
}

function userBlock(part: Part): JsonObject[] {
  switch (part.kind) {
    case 'text':
      return isBlank(part.text) ? [] : [textBlock(part.text, part.cache)]
    case 'refusal':
      return isBlank(part.text) ? [] : [textBlock(part.text, undefined)]
    case 'image':
      return [{ type: 'image', source: sourceOf(part), ...mark(part.cache) }]
    case 'file':
      return [fileBlock(part)]
    case 'tool_result':
      return [resultBlock(part)]
    case 'audio':
      throw unsupportedParameter('messages', 'this model takes no audio')
    default:
      return []
  }
}

/** Anthropic refuses texts of white space as well as empty ones. */
export function isBlank(text: string): boolean {
  return text.trim() === ''
}

export function textBlock(text: string, cache: CacheMark | undefined): JsonObject {
  return { type: 'text', text, ...mark(cache) }
}

function sourceOf(part: MediaPart): JsonObject {
  const { source } = part
  switch (source.type) {
    case 'base64':
      return {
        type: 'base64',
        media_type: imageType(source.mediaType, source.data),
        data: source.data,
      }
    case 'url':
      return { type: 'url', url: source.url }
    case 'text':
      return { type: 'text', media_type: 'text/plain', data: source.text }
    case 'file_id':
      return { type: 'file', file_id: ownFileId(source, 'anthropic-messages') }
  }
}

/** PDFs become documents, texts become documents with their text, images sent as files become images. */
function fileBlock(part: PartOf<'file'>): JsonObject {
  const { source } = part
  const more = {
    ...(part.name === undefined ? {} : { title: part.name }),
    ...(part.cited === undefined ? {} : { citations: { enabled: true } }),
  }
  if (source.type !== 'base64' || source.mediaType === 'application/pdf') {
    return { type: 'document', source: sourceOf(part), ...more, ...mark(part.cache) }
  }
  if (source.mediaType.startsWith('image/')) {
    return { type: 'image', source: sourceOf(part), ...mark(part.cache) }
  }
  if (source.mediaType.startsWith('text/') || source.mediaType === 'application/json') {
    const data = Buffer.from(source.data, 'base64').toString('utf8')
    const text = { type: 'text', media_type: 'text/plain', data }
    return { type: 'document', source: text, ...more, ...mark(part.cache) }
  }
  throw unsupportedParameter('messages', `this model takes no file of type ${source.mediaType}`)
}

function resultBlock(part: PartOf<'tool_result'>): JsonObject {
  const only = part.content[0]
  const isPlain = part.content.length === 1 && only?.kind === 'text' && only.cache === undefined
  const content = isPlain ? (isBlank(only.text) ? '' : only.text) : userBlocks(part.content)
  return {
    type: 'tool_result',
    tool_use_id: fitCallId(part.callId),
    ...(Array.isArray(content) && content.length === 0 ? {} : { content }),
    ...(part.isError === true ? { is_error: true } : {}),
    ...mark(part.cache),
  }
}

/** The blocks of a model's turn. Reasoning is sent only with Anthropic's own signature. */
export function modelBlocks(
  parts: readonly Part[],
  rename: Rename,
  keepsThinking: boolean,
): JsonObject[] {
  return parts.flatMap((part): JsonObject[] => {
    switch (part.kind) {
      case 'tool_call':
        return [
          {
            type: 'tool_use',
            id: fitCallId(part.id),
            name: rename(part.name),
            input: argumentObject(part.arguments),
            ...mark(part.cache),
          },
        ]
      case 'reasoning':
        return keepsThinking ? thinkingBlock(part) : []
      default:
        return userBlock(part)
    }
  })
}

function thinkingBlock(part: PartOf<'reasoning'>): JsonObject[] {
  if (part.state?.owner !== 'anthropic') return []
  return part.redacted
    ? [{ type: 'redacted_thinking', data: part.state.data }]
    : [{ type: 'thinking', thinking: part.text, signature: part.state.data }]
}
