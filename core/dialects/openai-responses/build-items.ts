import type { BuildTarget } from '../../contract/dialect.ts'
import type { ChatRequest, Part, PartOf } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { compact } from '../neutral/fields.ts'
import { freeformInput, freeformNames } from '../neutral/freeform-tools.ts'
import { fileName, ownFileId, textOfFile, urlOfSource } from '../neutral/media.ts'
import { unsupportedParameter } from '../neutral/request-errors.ts'
import { type Rename, shortCallId } from '../neutral/tool-names.ts'

const LONGEST_ID = 64

/** Writes input[] from the turns, in their order. Sealed reasoning that the client did not send back is taken from memory. */
export function buildItems(
  request: Pick<ChatRequest, 'turns' | 'tools'>,
  rename: Rename,
  recallState: BuildTarget['recallState'],
): JsonObject[] {
  const history: History = { rename, freeform: freeformNames(request), freeformIds: new Set() }
  return request.turns.flatMap((turn) =>
    turn.role === 'user'
      ? userItems(turn.parts, history)
      : modelItems(withThoughts(turn.parts, recallState), history),
  )
}

interface History {
  rename: Rename
  freeform: ReadonlySet<string>
  /** Ids of calls of freeform tools, whose results are items of a type of their own. */
  freeformIds: Set<string>
}

/** A reasoning item must stand directly before the first call that it led to. */
function withThoughts(parts: readonly Part[], recallState: BuildTarget['recallState']): Part[] {
  const at = parts.findIndex((part) => part.kind === 'tool_call')
  const call = parts[at]
  if (call?.kind !== 'tool_call' || parts.some(isSealed)) return [...parts]
  const known = recallState?.(call.id)?.reasoning?.filter(isSealed) ?? []
  return [...parts.slice(0, at), ...known, ...parts.slice(at)]
}

function isSealed(part: Part): boolean {
  return part.kind === 'reasoning' && part.state?.owner === 'openai'
}

function userItems(parts: readonly Part[], { freeformIds }: History): JsonObject[] {
  const items: JsonObject[] = []
  const content: JsonObject[] = []
  for (const part of parts) {
    if (part.kind === 'tool_result') {
      items.push({
        type: freeformIds.has(part.callId) ? 'custom_tool_call_output' : 'function_call_output',
        call_id: shortCallId(part.callId, LONGEST_ID),
        output: outputOf(part.content),
      })
    } else content.push(...inputPart(part))
  }
  if (content.length > 0 || items.length === 0) {
    items.push({ type: 'message', role: 'user', content })
  }
  return items
}

/** A string, or a list of parts if the result contains more than text. */
function outputOf(parts: readonly Part[]): unknown {
  const texts = parts.map((part) => {
    if (part.kind === 'text') return part.text
    return part.kind === 'file' ? textOfFile(part) : undefined
  })
  return texts.includes(undefined) ? parts.flatMap(inputPart) : texts.join('\n')
}

function inputPart(part: Part): JsonObject[] {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return [{ type: 'input_text', text: part.text }]
    case 'image':
      return [{ type: 'input_image', detail: part.detail ?? 'auto', ...imageSource(part) }]
    case 'file':
      return [filePart(part)]
    case 'audio':
      throw unsupportedParameter('messages', 'this model takes no audio')
    default:
      return []
  }
}

function imageSource({ source }: PartOf<'image'>): JsonObject {
  return source.type === 'file_id'
    ? { file_id: ownFileId(source, 'openai-responses') }
    : { image_url: urlOfSource(source, 'messages') }
}

function filePart(part: PartOf<'file'>): JsonObject {
  const text = textOfFile(part)
  return text === undefined
    ? { type: 'input_file', ...fileSource(part) }
    : { type: 'input_text', text }
}

function fileSource(part: PartOf<'file'>): JsonObject {
  const { source } = part
  switch (source.type) {
    case 'file_id':
      return { file_id: ownFileId(source, 'openai-responses') }
    case 'url':
      return compact({ filename: part.name, file_url: source.url })
    default:
      return { filename: fileName(part), file_data: urlOfSource(source, 'messages') }
  }
}

function modelItems(parts: readonly Part[], history: History): JsonObject[] {
  const items: JsonObject[] = []
  let content: JsonObject[] = []
  const closeMessage = () => {
    if (content.length > 0) items.push({ type: 'message', role: 'assistant', content })
    content = []
  }
  for (const part of parts) {
    const text = outputText(part)
    if (text !== undefined) content.push(text)
    else {
      closeMessage()
      items.push(...callOrReasoning(part, history))
    }
  }
  closeMessage()
  return items
}

function outputText(part: Part): JsonObject | undefined {
  if (part.kind === 'text') return { type: 'output_text', text: part.text, annotations: [] }
  return part.kind === 'refusal' ? { type: 'refusal', refusal: part.text } : undefined
}

/** Reasoning is only sent back as OpenAI sealed it; a summary alone is not accepted. */
function callOrReasoning(part: Part, history: History): JsonObject[] {
  if (part.kind === 'tool_call') {
    const name = history.rename(part.name)
    if (history.freeform.has(part.name)) {
      history.freeformIds.add(part.id)
      const input = freeformInput(part.arguments)
      return [{ type: 'custom_tool_call', call_id: shortCallId(part.id, LONGEST_ID), name, input }]
    }
    return [
      {
        type: 'function_call',
        call_id: shortCallId(part.id, LONGEST_ID),
        name,
        arguments: part.arguments,
      },
    ]
  }
  if (part.kind !== 'reasoning' || part.state?.owner !== 'openai') return []
  return [
    compact({
      type: 'reasoning',
      id: part.state.id,
      summary: part.text === '' ? [] : [{ type: 'summary_text', text: part.text }],
      encrypted_content: part.state.data,
    }),
  ]
}
