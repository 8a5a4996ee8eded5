// Records the answer of a call while it passes, up to a size, for observers and response caches.
import { isObject, type JsonObject } from '../../contract/json.ts'
import type { ChatEvent } from '../../contract/neutral.ts'

/** Estimated characters that an event takes besides its text. */
const EVENT_CHARS = 40

type Write = (events: readonly ChatEvent[]) => JsonObject

export class AnswerRecord {
  #maxChars = 0
  #events: ChatEvent[] = []
  #write: Write | undefined
  #hidesThoughts = false
  #body: JsonObject | undefined
  chars = 0
  /** The answer was longer than the limit; the rest is missing. */
  isCut = false

  /** The largest limit among those who want the record. */
  raise(maxChars: number): void {
    this.#maxChars = Math.max(this.#maxChars, maxChars)
  }

  /** Starts again for another attempt: what the failed attempt wrote is not part of the answer. Thoughts that the client
   *  is not shown are not part of it either. */
  begin(write: Write, hidesThoughts = false): void {
    this.#hidesThoughts = hidesThoughts
    this.#events = []
    this.chars = 0
    this.isCut = false
    this.#write = write
  }

  see(event: ChatEvent): void {
    if (this.#hidesThoughts && event.type === 'reasoning') return
    const chars = sizeOf(event)
    if (chars > 0 && this.chars + chars > this.#maxChars) {
      this.isCut = true
      return
    }
    this.chars += chars
    const joined = join(this.#events.at(-1), event)
    if (joined) this.#events[this.#events.length - 1] = joined
    else this.#events.push(event)
  }

  /** Records an answer that is not a chat. */
  take(body: unknown, bytes: number): void {
    if (!isObject(body)) return
    this.chars = bytes
    this.isCut = bytes > this.#maxChars
    if (!this.isCut) this.#body = body
  }

  get events(): readonly ChatEvent[] {
    return this.#events
  }

  get body(): JsonObject | undefined {
    return this.#body
  }

  /** The record as one whole answer; undefined if nothing was recorded. */
  whole(): JsonObject | undefined {
    if (this.#body) return this.#body
    return this.#write && this.#events.length > 0 ? this.#write(this.#events) : undefined
  }
}

function sizeOf(event: ChatEvent): number {
  switch (event.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
    case 'tool_args':
      return event.delta.length + 1
    case 'image':
      return event.data.length + EVENT_CHARS
    case 'audio':
      return JSON.stringify(event.delta).length + EVENT_CHARS
    case 'usage':
    case 'finish':
      return 0
    default:
      return EVENT_CHARS
  }
}

/** Joins consecutive pieces of text: a stream of a hundred thousand pieces is stored as one text. */
function join(last: ChatEvent | undefined, next: ChatEvent): ChatEvent | undefined {
  if (last === undefined || last.type !== next.type) return undefined
  if (last.type === 'usage') return next
  if (last.type === 'tool_args' && next.type === 'tool_args' && last.index === next.index)
    return { ...last, delta: last.delta + next.delta }
  if (last.type !== 'text' && last.type !== 'reasoning' && last.type !== 'refusal') return undefined
  if (next.type !== 'text' && next.type !== 'reasoning' && next.type !== 'refusal') return undefined
  if (last.choice !== next.choice || isSealed(last) || isSealed(next)) return undefined
  return { ...last, delta: last.delta + next.delta }
}

function isSealed(event: ChatEvent): boolean {
  return event.type === 'text' && (event.state !== undefined || event.logprobs !== undefined)
}
