// Most events of a stream consist of the same frame around a text. They differ in that text, and in figures and padding
// that are not part of the answer. After one event of a frame was parsed, the following ones are read by comparing
// strings, which costs a hundredth of parsing them and writing them again.
import type { SseEvent } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import { copiedText, ownText } from '../../wire/own-text.ts'
import { readEvent } from '../../wire/sse.ts'

/** Consecutive events that repeat a frame. `raw` contains all of them, `deltas` the text of each. */
export class FrameRun implements SseEvent {
  readonly event = undefined
  readonly data = ''
  readonly raw: string
  readonly deltas: readonly string[]
  readonly kind: TextKind
  /** True if each event contains the usage so far. */
  readonly hasUsage: boolean
  readonly #lastAt: number

  constructor(raw: string, deltas: readonly string[], { kind, hasUsage }: Frame, lastAt: number) {
    this.raw = raw
    this.deltas = deltas
    this.kind = kind
    this.hasUsage = hasUsage
    this.#lastAt = lastAt
  }

  newest(): SseEvent {
    return readEvent(this.raw.slice(this.#lastAt))
  }

  /** The whole text as one event. It does not keep the received bytes alive. */
  whole(): ChatEvent {
    const { deltas } = this
    const [first = ''] = deltas
    return { type: this.kind, delta: deltas.length === 1 ? ownText(first) : deltas.join('') }
  }

  each(): ChatEvent[] {
    return this.deltas.map((delta) => ({ type: this.kind, delta }))
  }
}

/** A hole in the frame and the constant text after it. */
interface Step {
  readonly hole: Hole
  readonly piece: string
}

type TextKind = 'text' | 'reasoning'
/** What a hole may contain. Numbers, because each hole of each event is checked. */
const ANSWER = 0
const PADDING = 1
const DIGITS = 2
const SPACES = 3
type Hole = typeof ANSWER | typeof PADDING | typeof DIGITS | typeof SPACES

/** The constant texts of an event and the holes between them. */
interface Frame {
  /** The text before the first hole. */
  readonly head: string
  readonly steps: readonly Step[]
  /** The text after the last hole, which takes the spaces at the end of the data. */
  readonly tail: string
  /** The end of an event and the beginning of the next, so that one comparison is enough for both. */
  readonly seam: string
  readonly kind: TextKind
  /** True if the event contains the usage so far. */
  readonly hasUsage: boolean
}

/** Fields that none of our parsers reads. */
const idle = /"(?:(obfuscation)":\s*"|sequence_number":\s*\d)/g
/** Usage figures that grow with the answer; only those of the newest event count. */
const growing = /"(?:candidatesTokenCount|thoughtsTokenCount|totalTokenCount)":\s*\d/g
/** The same, and usage figures that seldom change. */
const counted =
  /"(?:promptTokenCount|candidatesTokenCount|thoughtsTokenCount|totalTokenCount|tokenCount)":\s*\d/g
/** After so many events from which no frame could be learned, learning stops. */
const MOST_VAIN_LESSONS = 16

/** Reads the repeating events of one stream. It may only be used with a parser whose result does not depend on earlier events. */
export class FrameReader {
  #frame: Frame | undefined
  #vainLessons = 0

  /** The events from `start` on that repeat the frame.
   *  @returns undefined if the first one does not */
  readonly skim = (text: string, start: number): FrameRun | undefined => {
    const frame = this.#frame
    if (frame === undefined) return undefined
    const { head, tail, seam } = frame
    // `startsWith` would take five times as long.
    if (text.slice(start, start + head.length) !== head) return undefined
    const deltas: string[] = []
    let end = start
    let lastStart = start
    for (let isFollowed = true; isFollowed; ) {
      const closing = readHoles(frame.steps, text, end + head.length, deltas)
      if (closing < 0) break
      isFollowed = text.slice(closing, closing + seam.length) === seam
      if (!isFollowed && text.slice(closing, closing + tail.length) !== tail) {
        deltas.pop()
        break
      }
      lastStart = end
      end = closing + tail.length
    }
    if (deltas.length === 0) return undefined
    this.#vainLessons = 0
    return new FrameRun(text.slice(start, end), deltas, frame, lastStart - start)
  }

  /** Learns the frame of an event, if the parser found only a text in it. */
  learn({ raw }: SseEvent, events: readonly ChatEvent[]): void {
    const [first, usage] = events
    if (first === undefined || (first.type !== 'text' && first.type !== 'reasoning')) return
    if (events.length > (usage?.type === 'usage' ? 2 : 1) || !isPlain(first)) return
    if (this.#vainLessons >= MOST_VAIN_LESSONS) return
    this.#vainLessons += 1
    const figures = usage === undefined ? undefined : this.#vainLessons > 1 ? counted : growing
    this.#frame = frameOf(raw, first.delta, first.type, figures) ?? this.#frame
  }
}

/** Whether the event is a text of the first choice and nothing else. */
function isPlain(event: ChatEvent & { type: TextKind }): boolean {
  if (event.choice !== undefined || event.delta === '') return false
  return event.type === 'reasoning' || (!event.state && !event.logprobs)
}

interface Place {
  start: number
  end: number
  hole: Hole
}

function frameOf(
  event: string,
  text: string,
  kind: TextKind,
  figures: RegExp | undefined,
): Frame | undefined {
  const end = event.endsWith('}\n\n')
    ? event.length - 3
    : event.endsWith('}\r\n\r\n')
      ? event.length - 5
      : -1
  if (end < 0 || event.startsWith('\n') || event.startsWith('\r')) return undefined
  const quoted = JSON.stringify(text)
  const at = event.indexOf(quoted)
  // If the same text occurs twice in one event, it is not clear which one is the answer's.
  if (at < 0 || event.includes(quoted, at + 1)) return undefined
  const raw = copiedText(event)
  const places: Place[] = [{ start: at + 1, end: at + quoted.length - 1, hole: ANSWER }]
  addPlaces(raw, idle, places)
  if (figures) addPlaces(raw, figures, places)
  let spaces = end
  while (raw.charCodeAt(spaces - 1) === SPACE) spaces -= 1
  places.push({ start: spaces, end, hole: SPACES })
  if (places.length > 2) places.sort(byStart)
  let head: string | undefined
  const steps: Step[] = []
  let done = 0
  let hole: Hole = ANSWER
  for (const place of places) {
    if (place.start < done) return undefined
    const piece = raw.slice(done, place.start)
    if (head === undefined) head = piece
    else steps.push({ hole, piece })
    hole = place.hole
    done = place.end
  }
  const tail = raw.slice(done)
  const seam = copiedText(tail + head)
  return { head: head ?? '', steps, tail, seam, kind, hasUsage: figures !== undefined }
}

function byStart(one: Place, other: Place): number {
  return one.start - other.start
}

function addPlaces(raw: string, pattern: RegExp, places: Place[]): void {
  pattern.lastIndex = 0
  for (let found = pattern.exec(raw); found !== null; found = pattern.exec(raw)) {
    const after = pattern.lastIndex
    const hole = found[1] === undefined ? DIGITS : PADDING
    const start = hole === DIGITS ? after - 1 : after
    const end = endOfHole(hole, raw, start)
    if (end >= 0) places.push({ start, end, hole })
  }
}

/** Reads an event after its head and adds its text to `deltas`.
 *  @returns the position where its tail must begin; -1 if it has another frame or is incomplete */
function readHoles(steps: readonly Step[], text: string, start: number, deltas: string[]): number {
  let at = start
  let delta = ''
  for (let index = 0; index < steps.length; index += 1) {
    const { hole, piece } = steps[index] as Step
    const end = hole === DIGITS ? endOfDigits(text, at) : endOfText(text, at)
    if (end < 0) return -1
    if (hole === ANSWER) {
      // The parser emits no event for an empty text.
      if (end === at) return -1
      delta = text.slice(at, end)
    }
    at = end + piece.length
    // A text ends at its closing quote. If the constant text is only that quote, it needs no comparison.
    if ((hole === DIGITS || piece !== '"') && text.slice(end, at) !== piece) return -1
  }
  deltas.push(delta)
  return endOfSpaces(text, at)
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20
const ZERO = 0x30
const NINE = 0x39

/** @returns -1 if something else stands there, which the parser must read */
function endOfHole(hole: Hole, text: string, start: number): number {
  switch (hole) {
    case ANSWER:
    case PADDING:
      return endOfText(text, start)
    case DIGITS:
      return endOfDigits(text, start)
    case SPACES:
      return endOfSpaces(text, start)
  }
}

function endOfSpaces(text: string, start: number): number {
  let at = start
  while (text.charCodeAt(at) === SPACE) at += 1
  return at
}

/** The position of the closing quote. Escaped characters, and those that JSON does not allow in a text, are handled by
 *  the slower search. */
function endOfText(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH || code < SPACE) return -1
  }
  return -1
}

function endOfDigits(text: string, start: number): number {
  let at = start
  for (;;) {
    const code = text.charCodeAt(at)
    if (!(code >= ZERO && code <= NINE)) break
    at += 1
  }
  // A JSON number with several digits does not begin with 0.
  const isNumber = at === start + 1 || (at > start && text.charCodeAt(start) !== ZERO)
  return isNumber ? at : -1
}
