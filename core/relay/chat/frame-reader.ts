// Most events of a stream are one frame around a text: they differ in it, and in figures and padding that say nothing of the answer. Once an
// event of a frame was parsed, the next ones are read by comparing strings: a hundredth of what parsing and writing them anew costs.
import type { SseEvent } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import { readEvent } from '../../wire/sse.ts'

/** Events in a row that repeat a frame. `raw` holds all of them, `deltas` the text of each. */
export class FrameRun implements SseEvent {
  readonly event = undefined
  readonly data = ''
  readonly raw: string
  readonly deltas: readonly string[]
  readonly kind: TextKind
  /** The events tell the usage so far. */
  readonly tellsUsage: boolean
  readonly #lastAt: number

  constructor(raw: string, deltas: readonly string[], { kind, tellsUsage }: Frame, lastAt: number) {
    this.raw = raw
    this.deltas = deltas
    this.kind = kind
    this.tellsUsage = tellsUsage
    this.#lastAt = lastAt
  }

  newest(): SseEvent {
    return readEvent(this.raw.slice(this.#lastAt))
  }

  /** All of the text as one event, which does not keep the bytes that it came in. */
  whole(): ChatEvent {
    const { deltas } = this
    const [first = ''] = deltas
    return { type: this.kind, delta: deltas.length === 1 ? ownText(first) : deltas.join('') }
  }

  each(): ChatEvent[] {
    return this.deltas.map((delta) => ({ type: this.kind, delta }))
  }
}

/** A hole and what follows it. */
interface Step {
  readonly hole: Hole
  readonly piece: string
}

type TextKind = 'text' | 'reasoning'
/** What may stand in a hole of a frame. Numbers, since each event asks for each of its holes. */
const ANSWER = 0
const PADDING = 1
const DIGITS = 2
const SPACES = 3
type Hole = typeof ANSWER | typeof PADDING | typeof DIGITS | typeof SPACES

/** What must be there, and the holes between. */
interface Frame {
  /** Before the first hole. */
  readonly head: string
  readonly steps: readonly Step[]
  /** After the spaces that stand last. */
  readonly tail: string
  /** The end of an event and the beginning of the next: one comparison instead of two. */
  readonly seam: string
  readonly kind: TextKind
  /** The event tells the usage so far. */
  readonly tellsUsage: boolean
}

/** Fields that no parser of ours reads. */
const idle = /"(?:(obfuscation)":\s*"|sequence_number":\s*\d)/g
/** Figures of usage that grow with the answer; those of the newest event count. */
const growing = /"(?:candidatesTokenCount|thoughtsTokenCount|totalTokenCount)":\s*\d/g
/** The same, and those that rarely do. */
const counted =
  /"(?:promptTokenCount|candidatesTokenCount|thoughtsTokenCount|totalTokenCount|tokenCount)":\s*\d/g
/** A stream whose events are all of different frames is not learned for ever. */
const MOST_VAIN_LESSONS = 16

/** One per stream, of a parser that makes the same of the same event whatever came before it. */
export class FrameReader {
  #frame: Frame | undefined
  #vainLessons = 0

  /** The events from `start` on that repeat the frame; undefined when the first does not. */
  readonly skim = (text: string, start: number): FrameRun | undefined => {
    const frame = this.#frame
    if (frame === undefined) return undefined
    const { head, tail, seam } = frame
    // Not startsWith, which takes five times as long.
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

  /** Looks whether the frame of an event can be learned from what the parser made of it. */
  learn({ raw }: SseEvent, events: readonly ChatEvent[]): void {
    const [told, usage] = events
    if (told === undefined || (told.type !== 'text' && told.type !== 'reasoning')) return
    if (events.length > (usage?.type === 'usage' ? 2 : 1) || !isPlain(told)) return
    if (this.#vainLessons >= MOST_VAIN_LESSONS) return
    this.#vainLessons += 1
    const figures = usage === undefined ? undefined : this.#vainLessons > 1 ? counted : growing
    this.#frame = frameOf(raw, told.delta, told.type, figures) ?? this.#frame
  }
}

/** Nothing but a text of the first choice. */
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
  // The same text twice in one event leaves open which of them is the answer's.
  if (at < 0 || event.includes(quoted, at + 1)) return undefined
  const raw = copied(event)
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
  const seam = copied(tail + head)
  return { head: head ?? '', steps, tail, seam, kind, tellsUsage: figures !== undefined }
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

/** A part of a string keeps all of it in memory, and joining one part copies nothing. A part of something that is longer by one character does. */
function ownText(part: string): string {
  return ` ${part}`.slice(1)
}

/** The same for a text of some length, as one piece. */
function copied(text: string): string {
  return Buffer.from(text).toString()
}

/** Reads an event behind its head and adds its text. Where its tail must stand, -1 when it is of another frame or not all there. */
function readHoles(steps: readonly Step[], text: string, start: number, deltas: string[]): number {
  let at = start
  let delta = ''
  for (let index = 0; index < steps.length; index += 1) {
    const { hole, piece } = steps[index] as Step
    const end = hole === DIGITS ? endOfDigits(text, at) : endOfText(text, at)
    if (end < 0) return -1
    if (hole === ANSWER) {
      // An event without text is none for the parser.
      if (end === at) return -1
      delta = text.slice(at, end)
    }
    at = end + piece.length
    // A text ends where its quote stands: there is nothing to compare where that is all.
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

/** -1: something else stands there, which the parser must look at. */
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

/** To the closing quote; whatever is escaped, or may not stand in a JSON text, takes the long way. */
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
  // JSON knows no number that begins with 0 and goes on.
  const isNumber = at === start + 1 || (at > start && text.charCodeAt(start) !== ZERO)
  return isNumber ? at : -1
}
