// A message of the conversation, and how the events of a stream are merged into one.
import { readUrl, textsOf } from '#console'

/** `loading`: nothing has arrived yet. `incomplete`: the answer is still streaming. */
export type MessageStatus = 'loading' | 'incomplete' | 'complete' | 'error'

export interface ToolCall {
  name: string
  /** JSON text; incomplete while the answer is streaming. */
  arguments: string
}

export interface Receipt {
  /** Units charged. */
  quota: number
  prompt_tokens: number
  completion_tokens: number
}

export interface Message {
  id: number
  /** `divider`: messages before it are no longer sent. */
  role: 'user' | 'assistant' | 'divider'
  content: string
  status: MessageStatus
  /** Addresses of pictures: `https:` or `data:image/…`. */
  images?: string[]
  reasoning?: string
  toolCalls?: ToolCall[]
  error?: string
  /** The user stopped the answer. */
  isStopped?: boolean
  model?: string
  /** Time from sending to the first piece, and to the end. */
  firstMs?: number
  totalMs?: number
  /** Of the call, by which its receipt finds the answer: later conversations count their messages anew. */
  requestId?: string
  receipt?: Receipt
}

interface Chunk {
  error?: { message?: string } | string
  choices?: { delta?: Delta; message?: Delta }[]
}

interface Delta {
  content?: string | { type?: string; text?: string; image_url?: { url?: string } }[] | null
  reasoning_content?: string | null
  reasoning?: string | null
  tool_calls?: { index?: number; function?: { name?: string; arguments?: string } }[]
  images?: { image_url?: { url?: string } }[]
}

/** An error event inside the stream. */
export class StreamError extends Error {}

/**
 * Returns the message with one event of the stream merged into it; does not change its argument.
 * @throws StreamError if the event is an error
 */
export function withChunk(message: Message, data: string): Message {
  const chunk = parse(data)
  if (chunk.error !== undefined) throw new StreamError(errorText(chunk.error, data))
  const [choice] = chunk.choices ?? []
  const delta = choice?.delta ?? choice?.message
  return delta ? withDelta(message, delta) : message
}

function parse(data: string): Chunk {
  try {
    const chunk: unknown = JSON.parse(data)
    if (typeof chunk === 'object' && chunk !== null) return chunk
  } catch {
    // Handled below.
  }
  // The beginning of a chunk whose rest never arrived; it cannot be parsed.
  const isPiece = data.trimStart().startsWith('{')
  throw new StreamError(isPiece ? textsOf('playground')('cut') : data)
}

function errorText(error: { message?: string } | string, data: string): string {
  return (typeof error === 'string' ? error : error.message) || data
}

function withDelta(message: Message, delta: Delta): Message {
  const parts = Array.isArray(delta.content) ? delta.content : []
  const text =
    typeof delta.content === 'string'
      ? delta.content
      : parts.map((part) => part.text ?? '').join('')
  const thought = delta.reasoning_content ?? delta.reasoning ?? ''
  const pictures = [...(delta.images ?? []), ...parts].flatMap(({ image_url: image }) =>
    image?.url && (isPicture(image.url) || isPlainWeb(image.url)) ? [image.url] : [],
  )
  const next: Message = { ...message, content: message.content + text, status: 'incomplete' }
  if (thought) next.reasoning = (message.reasoning ?? '') + thought
  if (pictures.length > 0) next.images = [...(message.images ?? []), ...pictures]
  if (delta.tool_calls) next.toolCalls = withToolCalls(message.toolCalls ?? [], delta.tool_calls)
  return next
}

/** Pieces of one tool call share an index; only the first one has the name. */
function withToolCalls(
  calls: readonly ToolCall[],
  pieces: NonNullable<Delta['tool_calls']>,
): ToolCall[] {
  const next = [...calls]
  for (const { index = next.length, function: called } of pieces) {
    const at = Math.min(Math.max(index, 0), next.length)
    const earlier = next[at] ?? { name: '', arguments: '' }
    next[at] = {
      name: earlier.name || (called?.name ?? ''),
      arguments: earlier.arguments + (called?.arguments ?? ''),
    }
  }
  return next
}

/** Whether the page can show this address. */
export function isPicture(address: string): boolean {
  if (/^https:/i.test(address)) return readUrl(address) !== undefined
  return /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,/i.test(address)
}

/** An address without TLS can only be opened in a separate tab. */
export function isPlainWeb(address: string): boolean {
  return /^http:/i.test(address) && readUrl(address) !== undefined
}

const opening = '<think>'
const closing = '</think>'

/** Some models write their reasoning into the answer, between `<think>` and `</think>`. */
export function splitThinking(message: Pick<Message, 'content' | 'reasoning'>): {
  reasoning: string
  answer: string
} {
  const { content, reasoning = '' } = message
  const text = content.trimStart()
  if (reasoning || !text.startsWith(opening)) return { reasoning, answer: content }
  const end = text.indexOf(closing)
  if (end < 0) return { reasoning: text.slice(opening.length).trim(), answer: '' }
  return {
    reasoning: text.slice(opening.length, end).trim(),
    answer: text.slice(end + closing.length).trimStart(),
  }
}
