// Server-sent events, read from bytes that may be cut anywhere. Grammar: WHATWG HTML, section 9.2.6.
import type { SseEvent } from '../contract/dialect.ts'
import { UpstreamError } from '../contract/errors.ts'
import { Utf8Reader } from './utf8-reader.ts'

/** An event of this many UTF-16 units ends the stream. */
export const LONGEST_EVENT = 16 * 1024 * 1024

// Two line ends in a row. Each may be LF, CR LF or a single CR.
const EVENT_END = /(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r)/g
// The length of the longest event end, less one: so much is searched again when the next piece arrives.
const OVERLAP = 3

/** Finds events at a position of a text that need not be split.
 *  @returns one event for all of them, whose `raw` is their text */
export type Skim = (text: string, start: number) => SseEvent | undefined

export type Take = (event: SseEvent) => void

/** Turns the bytes of a framed stream into events. One per stream. */
export interface EventSplitter {
  /** @throws UpstreamError if an event is longer than the limit */
  push(bytes: Uint8Array): SseEvent[]
  /** The same, one event at a time: `skim` is called before each one, and may have learned from the event before. Not a
   *  generator, which costs half of the time of reading a small piece. */
  read(bytes: Uint8Array, take: Take, skim?: Skim): void
  /** The last event if the upstream did not close it and it contains data. */
  end(): SseEvent[]
  /** True if no part of an event is waiting for its rest. */
  readonly isBetween: boolean
  /** Length of the text that was read last; -1 if it is not the exact text of its bytes. */
  readonly textLength: number
}

export class SseSplitter implements EventSplitter {
  readonly #reader = new Utf8Reader()
  readonly #limit: number
  /** The text of the open event. It is kept in pieces, so that a long event is joined only once. */
  #pieces: string[] = []
  #length = 0
  textLength = 0

  constructor(limit: number = LONGEST_EVENT) {
    this.#limit = limit
  }

  get isBetween(): boolean {
    return this.#length === 0
  }

  push(bytes: Uint8Array): SseEvent[] {
    const events: SseEvent[] = []
    this.read(bytes, (event) => events.push(event))
    return events
  }

  read(bytes: Uint8Array, take: Take, skim?: Skim): void {
    const text = this.#reader.read(bytes)
    this.textLength = this.#reader.isExact ? text.length : -1
    this.#take(text, take, skim)
  }

  end(): SseEvent[] {
    const events: SseEvent[] = []
    this.#take(this.#reader.end(), (event) => events.push(event))
    const rest = this.#pieces.join('')
    this.#pieces = []
    this.#length = 0
    if (rest.trim() === '') return events
    const event = readEvent(rest)
    // Closed with an empty line here, because the Google SDK throws on a last event without one.
    const raw = rest.endsWith('\r\r') ? rest : `${rest.trimEnd()}\n\n`
    if (event.data !== '') events.push({ ...event, raw })
    return events
  }

  #take(text: string, take: Take, skim?: Skim): void {
    if (this.#length === 0) return this.#cut(text, take, skim)
    const last = this.#pieces.at(-1) ?? ''
    const seam = last.slice(-OVERLAP)
    this.#pieces.push(text)
    this.#length += text.length
    if (!hasEventEnd(seam + text.slice(0, OVERLAP)) && !hasEventEnd(text)) {
      if (this.#length > this.#limit) throw tooLong(this.#limit)
      // Very short pieces are joined, so that what is searched again is never shorter than an event end.
      if (text.length < OVERLAP) this.#pieces = [this.#pieces.join('')]
      return
    }
    this.#cut(this.#pieces.join(''), take, skim)
  }

  #cut(text: string, take: Take, skim?: Skim): void {
    // Determined once for a piece. If each event did it, a long piece would be read as often as it has events.
    let mayHaveReturns: boolean | undefined
    let start = 0
    while (start < text.length) {
      const known = skim?.(text, start)
      if (known) {
        start += known.raw.length
        take(known)
        if (start === text.length) break
      }
      mayHaveReturns ??= text.includes('\r', start)
      const end = indexOfEventEnd(text, skipLineEnds(text, start), mayHaveReturns)
      if (end < 0) break
      const event = readEvent(text.slice(start, end))
      start = end
      take(event)
    }
    const open = start === 0 ? text : text.slice(start)
    // Empty lines in front of an event say nothing. If all of them were kept, each piece would search them again.
    const rest = skipLineEnds(open, 0) === open.length ? open.slice(-OVERLAP) : open
    this.#pieces = rest === '' ? [] : [rest]
    this.#length = rest.length
    if (this.#length > this.#limit) throw tooLong(this.#limit)
  }
}

/** The position after the next empty line; -1 if there is none. */
function indexOfEventEnd(text: string, from: number, mayHaveReturns: boolean): number {
  if (!mayHaveReturns || !text.includes('\r', from)) {
    const at = text.indexOf('\n\n', from)
    return at < 0 ? -1 : at + 2
  }
  EVENT_END.lastIndex = from
  if (!EVENT_END.test(text)) return -1
  // A CR at the very end may be half of a CR LF.
  const end = EVENT_END.lastIndex
  return end === text.length && text.endsWith('\r') ? -1 : end
}

function hasEventEnd(text: string): boolean {
  return indexOfEventEnd(text, 0, true) >= 0
}

function skipLineEnds(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) === 10 || text.charCodeAt(at) === 13) at += 1
  return at
}

/** Reads one block of lines. A block with comments only becomes an event without data. */
export function readEvent(raw: string): SseEvent {
  // The form of nearly all events in the OpenAI and Gemini dialects.
  if (raw.startsWith('data: ') && raw.indexOf('\n') === raw.length - 2 && !raw.includes('\r')) {
    return { event: undefined, data: raw.slice(6, -2), raw }
  }
  // The form of the Anthropic and Responses dialects.
  if (raw.startsWith('event: ') && !raw.includes('\r')) {
    const line = raw.indexOf('\n') + 1
    if (raw.startsWith('data: ', line) && raw.indexOf('\n', line) === raw.length - 2)
      return { event: raw.slice(7, line - 1), data: raw.slice(line + 6, -2), raw }
  }
  const state: LineState = { event: undefined, data: undefined }
  for (const line of raw.split(raw.includes('\r') ? /\r\n|\n|\r/ : '\n')) readLine(line, state)
  return { event: state.event, data: state.data ?? '', raw }
}

interface LineState {
  event: string | undefined
  data: string | undefined
}

function readLine(line: string, state: LineState): void {
  if (line === '' || line.startsWith(':')) return
  // Not in the grammar: some proxies write a plain JSON error into an event stream.
  if (line.startsWith('{')) return addData(line, state)
  const colon = line.indexOf(':')
  const name = colon < 0 ? line : line.slice(0, colon)
  const value =
    colon < 0 ? '' : line.slice(line.charCodeAt(colon + 1) === 32 ? colon + 2 : colon + 1)
  if (name === 'data') addData(value, state)
  else if (name === 'event') state.event = value
}

function addData(value: string, state: LineState): void {
  state.data = state.data === undefined ? value : `${state.data}\n${value}`
}

export function tooLong(limit: number): UpstreamError {
  return new UpstreamError(
    {
      status: 200,
      message: `The upstream sent an event of more than ${limit} characters.`,
      code: null,
      isKnownShape: true,
    },
    'upstream',
  )
}
