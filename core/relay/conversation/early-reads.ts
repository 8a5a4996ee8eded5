// What clients read of responses that are still being made. Whoever cancels or deletes such a response pays for what was
// read of it: its upstream may tell no usage then.
import { LRUCache } from 'lru-cache'
import { TokenCounter } from '../../billing/counting/count-tokens.ts'
import type { SseEvent, StreamParser } from '../../contract/dialect.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import type { ClusterBus } from '../../contract/services.ts'
import { codecs } from '../../dialects/index.ts'
import { parsedEvent } from '../../dialects/neutral/parsed-event.ts'

const READ = 'background.read'
const RESPONSES_KEPT = 5_000
/** Longer than the longest response is followed. */
const KEPT_MS = 26 * 3_600_000
/** How often other nodes hear of a stream. */
const TELL_MS = 1_000

export interface EarlyRead {
  /** Of the output, in tokens. */
  output: number
  /** Only what comes after the stream that the response was made with. */
  isRest: boolean
  /** Of what comes before that rest, where it was read as well. */
  head?: number
}

/** Events that follow each other. */
interface Stretch {
  parser: StreamParser
  from: number
  upTo: number
}

interface Reading {
  counter: TokenCounter
  /** Of the events up to `startsAt`. */
  head: TokenCounter
  /** The events that were counted, so that nothing counts twice, in whatever order it is read. */
  stretches: Stretch[]
  /** The number of the event behind which the first stream begins. */
  startsAt: number | undefined
  /** Of the longest whole answer that was read. */
  whole: number
}

const nothing: EarlyRead = { output: 0, isRest: false }
/** Beyond it the events of the last stretch alone are told apart. */
const MOST_STRETCHES = 100

export class EarlyReads {
  readonly #cluster: Pick<ClusterBus, 'publish' | 'subscribe'>
  readonly #readings = new LRUCache<string, Reading>({ max: RESPONSES_KEPT, ttl: KEPT_MS })
  /** From other nodes. */
  readonly #heard = new LRUCache<string, EarlyRead>({ max: RESPONSES_KEPT, ttl: KEPT_MS })
  readonly close: () => void

  constructor(cluster: Pick<ClusterBus, 'publish' | 'subscribe'>) {
    this.#cluster = cluster
    this.close = cluster.subscribe(
      READ,
      (read) => this.#hear(read),
      async () => undefined,
    )
  }

  of(id: string): EarlyRead {
    const reading = this.#readings.get(id)
    const here = reading ? readIn(reading) : nothing
    const there = this.#heard.get(id) ?? nothing
    return sumOf(there) > sumOf(here) ? there : here
  }

  forget(id: string): void {
    this.#readings.delete(id)
    this.#heard.delete(id)
  }

  /** Counts a body that a client has read. */
  whole(id: string, model: string, body: JsonObject): void {
    const counter = new TokenCounter(model)
    for (const event of codecs['openai-responses'].parseAnswer(body)) counter.addEvent(event)
    if (counter.isEmpty) return
    const reading = this.#readingOf(id, model)
    reading.whole = Math.max(reading.whole, counter.total())
    this.#tell(id)
  }

  /** The events of a stream, counted as they come. `after`: the number of the event behind which it begins. */
  stream(id: string, model: string, after: number): { see(event: SseEvent): void; end(): void } {
    const reading = this.#readingOf(id, model)
    const startsAt = (reading.startsAt ??= after)
    let last = after
    let timer: NodeJS.Timeout | undefined
    return {
      see: (event) => {
        timer ??= setInterval(() => this.#tell(id), TELL_MS).unref()
        last = numberOf(event) ?? last + 1
        const stretch = stretchFor(reading, last)
        if (stretch === undefined) return
        const counter = last <= startsAt ? reading.head : reading.counter
        for (const one of eventsIn(event, stretch.parser)) counter.addEvent(one)
      },
      end: () => {
        clearInterval(timer)
        this.#tell(id)
      },
    }
  }

  #readingOf(id: string, model: string): Reading {
    let reading = this.#readings.get(id)
    if (reading) return reading
    const [counter, head] = [new TokenCounter(model), new TokenCounter(model)]
    reading = { counter, head, stretches: [], startsAt: undefined, whole: 0 }
    this.#readings.set(id, reading)
    return reading
  }

  #tell(id: string): void {
    const reading = this.#readings.get(id)
    // A message that is lost is followed by the next one.
    if (reading) void this.#cluster.publish(READ, { id, ...readIn(reading) }).catch(() => undefined)
  }

  #hear({ id, output, isRest, head }: JsonObject): void {
    if (typeof id !== 'string' || typeof output !== 'number') return
    const read: EarlyRead = { output, isRest: isRest === true }
    if (typeof head === 'number') read.head = head
    if (sumOf(read) > sumOf(this.#heard.get(id) ?? nothing)) this.#heard.set(id, read)
  }
}

function readIn({ counter, head, whole, startsAt = -1 }: Reading): EarlyRead {
  const streamed = counter.total()
  const before = head.total()
  if (whole > streamed + before) return { output: whole, isRest: false }
  const read = { output: streamed, isRest: startsAt > 0 }
  return before === 0 ? read : { ...read, head: before }
}

function sumOf({ output, head = 0 }: EarlyRead): number {
  return output + head
}

/** The stretch that an event belongs to; undefined if it was counted. */
function stretchFor({ stretches }: Reading, number: number): Stretch | undefined {
  if (stretches.some(({ from, upTo }) => from <= number && number <= upTo)) return undefined
  const before = stretches.find(({ upTo }) => upTo === number - 1)
  const last = stretches.length < MOST_STRETCHES ? undefined : stretches.at(-1)
  const stretch = before ?? last
  if (stretch) {
    // Of a stretch that takes all, nothing in front of it is counted.
    if (number < stretch.from) return undefined
    stretch.upTo = number
    return stretch
  }
  const parser = codecs['openai-responses'].streamParser()
  const started = { parser, from: number, upTo: number }
  stretches.push(started)
  return started
}

function numberOf(event: SseEvent): number | undefined {
  const number = dataOf(event)?.['sequence_number']
  return Number.isSafeInteger(number) ? (number as number) : undefined
}

/** Undefined for what is no JSON, which the client gets all the same. */
function dataOf(event: SseEvent): JsonObject | undefined {
  try {
    return parsedEvent(event)
  } catch {
    return undefined
  }
}

function eventsIn(event: SseEvent, parser: StreamParser): ChatEvent[] {
  try {
    return parser.push(event)
  } catch {
    return []
  }
}
