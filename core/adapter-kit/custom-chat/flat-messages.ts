// A conversation as a plain list of messages, for upstreams with a chat format of their own.
import type { AttemptContext } from '../../contract/adapter.ts'
import type { ToolCallSaid } from '../../contract/dialect.ts'
import type { ChatRequest, MediaSource, Part, Turn } from '../../contract/neutral.ts'
import { addTo, mergeTurns } from '../../dialects/neutral/turns.ts'

export type FlatCall = ToolCallSaid

export interface FlatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  /** The texts of the message, joined by line breaks. */
  text: string
  images: MediaSource[]
  /** Of an assistant. */
  calls: FlatCall[]
  /** For a tool's result: the call that it answers and the tool's name. */
  callId: string
  name: string
}

export interface FlatOptions {
  takesImages?: boolean
  /** Consecutive messages of one role are merged. */
  alternates?: boolean
}

/** The system text comes first. Reasoning is left out. So are files, sound, and images if the upstream does not take them; these are noted with `context.drop`. */
export function flatMessages(
  request: ChatRequest,
  context: Pick<AttemptContext, 'drop'>,
  { alternates = false, takesImages = false }: FlatOptions = {},
): FlatMessage[] {
  const turns = alternates ? mergeTurns(request.turns) : request.turns
  const toolNames = new Map<string, string>()
  const messages = turns.flatMap((turn) => messagesOf(turn, toolNames, context))
  if (!takesImages && messages.some(({ images }) => images.length > 0)) {
    context.drop('image_url')
    for (const message of messages) message.images = []
  }
  const system = textOf(request.system)
  return system === '' ? messages : [blank('system', system), ...messages]
}

/** Tool results come before what the user says about them. */
function messagesOf(
  turn: Turn,
  toolNames: Map<string, string>,
  context: Pick<AttemptContext, 'drop'>,
): FlatMessage[] {
  const message = blank(turn.role === 'model' ? 'assistant' : 'user', textOf(turn.parts))
  const results: FlatMessage[] = []
  for (const part of turn.parts) {
    if (part.kind === 'image') message.images.push(part.source)
    else if (part.kind === 'tool_call') {
      toolNames.set(part.id, part.name)
      message.calls.push({ id: part.id, name: part.name, arguments: part.arguments })
    } else if (part.kind === 'tool_result') {
      const name = part.name ?? toolNames.get(part.callId) ?? ''
      results.push({ ...blank('tool', textOf(part.content)), callId: part.callId, name })
      addTo(message.images, imagesOf(part.content))
    } else if (part.kind === 'audio') context.drop('input_audio')
    else if (part.kind === 'file' && part.source.type !== 'text') context.drop('file')
  }
  const isEmpty = message.text === '' && message.images.length === 0 && message.calls.length === 0
  return isEmpty && results.length > 0 ? results : [...results, message]
}

function blank(role: FlatMessage['role'], text: string): FlatMessage {
  return { role, text, images: [], calls: [], callId: '', name: '' }
}

function textOf(parts: readonly Part[]): string {
  return parts
    .map((part) => {
      if (part.kind === 'text' || part.kind === 'refusal') return part.text
      return part.kind === 'file' && part.source.type === 'text' ? part.source.text : ''
    })
    .filter((text) => text !== '')
    .join('\n')
}

function imagesOf(parts: readonly Part[]): MediaSource[] {
  return parts.flatMap((part) => (part.kind === 'image' ? [part.source] : []))
}
