import type { BuildTarget } from '../../contract/dialect.ts'
import type { CacheMark, ChatRequest, Part, PartOf, Turn } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { fileName, ownFileId, textOfFile, urlOfSource } from '../neutral/media.ts'
import { unsupportedParameter } from '../neutral/request-errors.ts'
import { type Rename, shortCallId } from '../neutral/tool-names.ts'
import { addTo } from '../neutral/turns.ts'

const LONGEST_ID = 40

export interface MessageStyle {
  systemRole: 'system' | 'developer'
  rename: Rename
  /** Cache marks are an extension: OpenAI refuses them, and servers of Claude models accept them. */
  keepsCacheMarks: boolean
  /** Whether `reasoning_content`, another extension, is kept. */
  keepsReasoning: boolean
  recallThought: BuildTarget['recallThought']
}

export function buildMessages(
  request: Pick<ChatRequest, 'system' | 'turns'>,
  style: MessageStyle,
): JsonObject[] {
  const messages: JsonObject[] = []
  if (request.system.length > 0) {
    messages.push({ role: style.systemRole, content: systemContent(request.system, style) })
  }
  // OpenAI demands results directly behind their calls; elsewhere the user may speak in between.
  let said: JsonObject[] = []
  for (const turn of request.turns) {
    if (turn.role === 'model') {
      addTo(messages, said)
      said = []
      messages.push(assistantMessage(turn, style))
    } else {
      for (const message of userMessages(turn, style))
        (message.role === 'tool' ? messages : said).push(message)
    }
  }
  addTo(messages, said)
  return messages
}

function systemContent(parts: readonly Part[], style: MessageStyle): unknown {
  const texts = parts.filter((part) => part.kind === 'text')
  if (style.keepsCacheMarks && texts.some((part) => part.cache !== undefined)) {
    return texts.map((part) => ({ type: 'text', text: part.text, ...mark(part.cache, style) }))
  }
  return texts.map((part) => part.text).join('\n\n')
}

function mark(cache: CacheMark | undefined, style: MessageStyle): JsonObject {
  return cache === undefined || !style.keepsCacheMarks ? {} : { cache_control: cache.control }
}

/** Tool messages come first, then the rest of the turn. Images and sound inside results follow as a message of the user. */
function userMessages(turn: Turn, style: MessageStyle): JsonObject[] {
  const messages: JsonObject[] = []
  const rest: Part[] = []
  for (const part of turn.parts) {
    if (part.kind !== 'tool_result') {
      rest.push(part)
      continue
    }
    messages.push({
      role: 'tool',
      tool_call_id: shortCallId(part.callId, LONGEST_ID),
      content: resultText(part.content),
      ...mark(part.cache, style),
    })
    addTo(
      rest,
      part.content.filter(
        (inner) =>
          inner.kind === 'image' ||
          inner.kind === 'audio' ||
          (inner.kind === 'file' && textOfFile(inner) === undefined),
      ),
    )
  }
  if (rest.length > 0 || messages.length === 0) {
    messages.push({
      role: 'user',
      content: userContent(rest, style),
      ...(turn.name === undefined ? {} : { name: turn.name }),
    })
  }
  return messages
}

function resultText(parts: readonly Part[]): string {
  return parts
    .map((part) => {
      if (part.kind === 'text') return part.text
      return part.kind === 'file' ? (textOfFile(part) ?? '') : ''
    })
    .filter((text) => text !== '')
    .join('\n')
}

function userContent(parts: readonly Part[], style: MessageStyle): unknown {
  const only = parts[0]
  if (only === undefined) return ''
  const isMarked = style.keepsCacheMarks && 'cache' in only && only.cache !== undefined
  if (parts.length === 1 && only.kind === 'text' && !isMarked) return only.text
  return parts.flatMap((part) => buildPart(part, style))
}

function buildPart(part: Part, style: MessageStyle): JsonObject[] {
  switch (part.kind) {
    case 'text':
      return [{ type: 'text', text: part.text, ...mark(part.cache, style) }]
    case 'image':
      return [{ type: 'image_url', image_url: imageOf(part), ...mark(part.cache, style) }]
    case 'audio':
      return [{ type: 'input_audio', input_audio: { data: part.data, format: formatOf(part) } }]
    case 'file':
      return [{ ...filePart(part), ...mark(part.cache, style) }]
    default:
      return []
  }
}

function imageOf(part: PartOf<'image'>): JsonObject {
  const url = urlOfSource(part.source, 'messages')
  return part.detail === undefined ? { url } : { url, detail: part.detail }
}

function formatOf(part: PartOf<'audio'>): string {
  return part.mediaType === 'audio/mpeg' ? 'mp3' : part.mediaType.replace(/^audio\/(?:x-)?/, '')
}

/** This API takes PDFs; files of text are sent as text. */
function filePart(part: PartOf<'file'>): JsonObject {
  const text = textOfFile(part)
  return text === undefined ? { type: 'file', file: fileOf(part) } : { type: 'text', text }
}

function fileOf(part: PartOf<'file'>): JsonObject {
  switch (part.source.type) {
    case 'file_id':
      return { file_id: ownFileId(part.source, 'openai-chat') }
    case 'url':
      throw unsupportedParameter('messages', 'a file cannot be given by its URL to this model')
    default:
      return { filename: fileName(part), file_data: urlOfSource(part.source, 'messages') }
  }
}

function assistantMessage(turn: Turn, style: MessageStyle): JsonObject {
  const calls: JsonObject[] = []
  const texts: string[] = []
  let reasoning = ''
  let refusal = ''
  for (const part of turn.parts) {
    if (part.kind === 'text') texts.push(part.text)
    else if (part.kind === 'reasoning') reasoning += part.text
    else if (part.kind === 'refusal') refusal += part.text
    else if (part.kind === 'tool_call') calls.push(toolCall(part, style))
  }
  const content = assistantContent(turn, texts, style)
  return {
    role: 'assistant',
    content: content === '' && (calls.length > 0 || refusal !== '') ? null : content,
    ...(turn.name === undefined ? {} : { name: turn.name }),
    ...(refusal === '' ? {} : { refusal }),
    ...thoughtOf(turn, reasoning, style),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
}

/** What a client does not send back is known by the call that it led to. */
function thoughtOf({ parts }: Turn, sent: string, style: MessageStyle): JsonObject {
  if (!style.keepsReasoning) return {}
  const call = parts.find((part) => part.kind === 'tool_call')
  const thought = sent === '' && call ? style.recallThought?.(call) : sent
  return thought ? { reasoning_content: thought } : {}
}

function assistantContent(turn: Turn, texts: readonly string[], style: MessageStyle): unknown {
  const marked = turn.parts.some((part) => part.kind === 'text' && part.cache !== undefined)
  if (!marked || !style.keepsCacheMarks) return texts.join('')
  return turn.parts.flatMap((part) => (part.kind === 'text' ? buildPart(part, style) : []))
}

function toolCall(part: PartOf<'tool_call'>, style: MessageStyle): JsonObject {
  return {
    id: shortCallId(part.id, LONGEST_ID),
    type: 'function',
    function: { name: style.rename(part.name), arguments: part.arguments },
  }
}
