// The two ways from the upstream's answer to the client's: passed through while a scanner reads along, or written anew
// from neutral events.
import type {
  AnswerHints,
  AnswerMeta,
  ClientError,
  DialectCodec,
  SseEvent,
  StreamParser,
} from '../../contract/dialect.ts'
import type { ChatEvent, Usage } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { Skim } from '../../wire/sse.ts'
import { hookEndOf } from '../hooks/hook-ends.ts'
import { FrameReader, FrameRun } from './frame-reader.ts'
import { boundedJson } from '../../wire/bounded-json.ts'

export interface Translated {
  text: string
  events: readonly ChatEvent[]
  /** The usage in these events, if reading it was postponed. */
  usage?: LateUsage | undefined
}

/** Reads postponed usage, once, when it is needed. */
export type LateUsage = () => Usage | undefined

export interface StreamPipeline {
  push(event: SseEvent): Translated
  /** Called when the upstream has ended.
   *  @param counted our own count, for an answer without reported usage */
  end(counted: () => Usage | undefined): Translated
  readonly isComplete: boolean
  errorText(error: ClientError): string
  /** Finds consecutive events that need no parsing. They are pushed as one event. */
  readonly skim?: Skim | undefined
}

/** An adapter's own edit of an event before anything else reads it.
 *  @returns undefined to drop the event */
export type EventEdit = (event: SseEvent) => SseEvent | undefined

interface Looks {
  edit?: EventEdit | undefined
  hints?: AnswerHints | undefined
}

/** Changes an event before the client sees it. `end` returns the events that were held back. */
export interface EventMap {
  map(event: ChatEvent): ChatEvent[]
  end?(): ChatEvent[]
}

export function passPipeline(
  codec: DialectCodec,
  meta: AnswerMeta,
  options: Looks,
): StreamPipeline {
  return new PassPipeline(codec, meta, options)
}

/** Pipelines are classes, because a getter in an object literal creates a closure for each stream, which keeps the
 *  stream in memory until the next full garbage collection. */
class PassPipeline implements StreamPipeline {
  readonly #codec: DialectCodec
  readonly #parser: StreamParser
  readonly #filter: ReturnType<DialectCodec['passFilter']>
  readonly #frames: FrameReader | undefined
  readonly #edit: EventEdit | undefined
  #last = ''

  constructor(codec: DialectCodec, meta: AnswerMeta, options: Looks) {
    this.#codec = codec
    this.#parser = codec.streamParser(options.hints)
    this.#filter = codec.passFilter(meta)
    this.#frames = frameReader(options)
    this.#edit = options.edit
  }

  get skim(): Skim | undefined {
    return this.#frames?.skim
  }

  get isComplete(): boolean {
    return this.#parser.isComplete
  }

  push(original: SseEvent): Translated {
    if (original instanceof FrameRun) {
      this.#last = original.raw
      return {
        text: original.raw,
        events: [original.whole()],
        usage: lateUsage(original, this.#parser),
      }
    }
    const event = this.#edit ? this.#edit(original) : original
    if (!event) return { text: '', events: [] }
    const events = this.#parser.push(event)
    const text = this.#filter(event, events) ?? ''
    if (text === original.raw) this.#frames?.learn(original, events)
    if (event.data !== '' && text !== '') this.#last = text
    return { text, events }
  }

  end(counted: () => Usage | undefined): Translated {
    const events = this.#parser.end()
    return { text: this.isComplete ? this.#filter.end(counted()) : '', events }
  }

  errorText(error: ClientError): string {
    const ofStream = this.#filter.error?.(error, this.#last)
    return ofStream ?? this.#codec.streamError(error, this.#last)
  }
}

/** A frame reader, if nothing needs to see each single event and the parser's results do not depend on earlier events. */
function frameReader({ edit, hints }: Looks): FrameReader | undefined {
  const looksBack = hints?.stops ?? hints?.jsonTool ?? hints?.wrapped ?? hints?.cites
  return edit || looksBack ? undefined : new FrameReader()
}

function lateUsage(run: FrameRun, parser: StreamParser): LateUsage | undefined {
  if (!run.hasUsage) return undefined
  let usage: Usage | undefined
  let isRead = false
  return () => {
    if (isRead) return usage
    isRead = true
    for (const event of parser.push(run.newest())) if (event.type === 'usage') usage = event.usage
    return usage
  }
}

interface Conversion extends Looks {
  map?: EventMap | undefined
  /** True if the parser is that of a dialect. */
  isOfDialect?: boolean
}

export function convertPipeline(
  parser: StreamParser,
  client: DialectCodec,
  meta: AnswerMeta,
  options: Conversion,
): StreamPipeline {
  return new ConvertPipeline(parser, client.streamWriter(meta), options)
}

class ConvertPipeline implements StreamPipeline {
  readonly #parser: StreamParser
  readonly #writer: ReturnType<DialectCodec['streamWriter']>
  readonly #frames: FrameReader | undefined
  readonly #options: Conversion
  #usage: LateUsage | undefined

  constructor(
    parser: StreamParser,
    writer: ReturnType<DialectCodec['streamWriter']>,
    options: Conversion,
  ) {
    this.#parser = parser
    this.#writer = writer
    this.#options = options
    this.#frames = options.isOfDialect ? frameReader(options) : undefined
  }

  get skim(): Skim | undefined {
    return this.#frames?.skim
  }

  get isComplete(): boolean {
    return this.#parser.isComplete
  }

  push(original: SseEvent): Translated {
    if (original instanceof FrameRun) {
      this.#usage = lateUsage(original, this.#parser)
      return { text: this.#runText(original), events: [original.whole()], usage: this.#usage }
    }
    const { edit } = this.#options
    const event = edit ? edit(original) : original
    if (!event) return { text: '', events: [] }
    const events = this.#parser.push(event)
    this.#frames?.learn(original, events)
    return this.#write(this.#withLateUsage(events))
  }

  end(counted: () => Usage | undefined): Translated {
    const last = this.#write(this.#withLateUsage(this.#parser.end()))
    if (!this.isComplete) return last
    const kept = this.#written(this.#options.map?.end?.() ?? [])
    const usage = counted()
    const closing = usage ? this.#writer.write({ type: 'usage', usage }) : ''
    return { text: last.text + kept + closing + this.#writer.end(), events: last.events }
  }

  errorText(error: ClientError): string {
    return this.#writer.error(error)
  }

  #runText(run: FrameRun): string {
    const { kind, deltas } = run
    if (this.#options.map || !this.#writer.writeRun) return this.#write(run.each()).text
    return this.#writer.writeRun(kind, deltas)
  }

  #write(events: readonly ChatEvent[]): Translated {
    const { map } = this.#options
    const shown = map ? events.flatMap((event) => map.map(event)) : events
    return { text: this.#written(shown), events }
  }

  #written(events: readonly ChatEvent[]): string {
    let text = ''
    for (const event of events) if (event.type !== 'error') text += this.#writer.write(event)
    return text
  }

  /** Adds the usage of the skipped frames for the writer, unless these events contain newer usage. */
  #withLateUsage(events: ChatEvent[]): ChatEvent[] {
    const late = this.#usage
    if (late === undefined) return events
    this.#usage = undefined
    if (events.some(({ type }) => type === 'usage')) return events
    const usage = late()
    return usage === undefined ? events : [{ type: 'usage', usage: usage }, ...events]
  }
}

/** Reads the last event of a stream. If it was cut off, because late usage was no longer awaited, a complete answer is
 *  not at fault.
 *  @throws UpstreamError */
export function pushLast(translator: StreamPipeline, event: SseEvent): Translated | undefined {
  try {
    return translator.push(event)
  } catch (error) {
    if (translator.isComplete && !hookEndOf(error)) return undefined
    throw error
  }
}

/** Edits the parsed data of an event. Events whose data is no object stay unchanged. */
export function editData(
  event: SseEvent,
  edit: (data: JsonObject) => JsonObject | undefined,
): SseEvent | undefined {
  if (!event.data.startsWith('{')) return event
  let data: JsonObject
  try {
    data = (event.json ?? boundedJson(event.data)) as JsonObject
  } catch {
    return event
  }
  event.json = data
  const edited = edit(data)
  if (edited === data) return event
  if (edited === undefined) return undefined
  const text = JSON.stringify(edited)
  return {
    event: event.event,
    data: text,
    json: edited,
    raw: `${event.event ? `event: ${event.event}\n` : ''}data: ${text}\n\n`,
  }
}

/** `thinking_to_content`: turns reasoning into text between think marks. Each answer needs its own. */
export function thinkingToContent(): EventMap {
  let isOpen = false
  const map = (event: ChatEvent): ChatEvent[] => {
    if (event.type === 'reasoning') {
      const delta = isOpen ? event.delta : `<think>\n${event.delta}`
      isOpen = true
      return [{ type: 'text', delta }]
    }
    if (event.type === 'reasoning_state') return []
    const closes =
      isOpen && (event.type === 'text' || event.type === 'tool_start' || event.type === 'finish')
    if (!closes) return [event]
    isOpen = false
    return [{ type: 'text', delta: '\n</think>\n' }, event]
  }
  return { map }
}

/** Applies the first map, then the second. */
export function chained(first: EventMap, second: EventMap): EventMap {
  const onward = (event: ChatEvent) => second.map(event)
  return {
    map: (event) => first.map(event).flatMap(onward),
    end: () => [...(first.end?.() ?? []).flatMap(onward), ...(second.end?.() ?? [])],
  }
}
