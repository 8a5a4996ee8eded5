// The two ways of an answer from upstream to client: passed through with a scanner beside it, or written anew from neutral events.
import type { OwnStreamReader } from '../../contract/adapter.ts'
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

export interface Translated {
  text: string
  events: readonly ChatEvent[]
  /** What they tell of usage, where reading that was put off. */
  usage?: LateUsage | undefined
}

/** Read once, when it is asked for. */
export type LateUsage = () => Usage | undefined

export interface StreamPipeline {
  push(event: SseEvent): Translated
  /** Called when the upstream has ended. `counted` is our own count, for an answer that told no usage. */
  end(counted: () => Usage | undefined): Translated
  readonly isComplete: boolean
  errorText(error: ClientError): string
  /** Finds events that need no parsing; they are pushed as one, in the order of the stream. */
  readonly skim?: Skim | undefined
}

/** The adapter's own edit of one event, before anything reads it; undefined drops it. */
export type EventEdit = (event: SseEvent) => SseEvent | undefined

interface Looks {
  edit?: EventEdit | undefined
  hints?: AnswerHints | undefined
}

/** What the client is shown of an event; `end` says what was still kept. */
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

/** Pipelines are classes: a getter in a literal is a new closure for each stream, and keeps the stream until the next full collection. */
class PassPipeline implements StreamPipeline {
  readonly #codec: DialectCodec
  readonly #parser: StreamParser
  readonly #filter: ReturnType<DialectCodec['passFilter']>
  readonly #frames: FrameReader | undefined
  readonly #edit: EventEdit | undefined

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
    if (original instanceof FrameRun)
      return {
        text: original.raw,
        events: [original.whole()],
        usage: lateUsage(original, this.#parser),
      }
    const event = this.#edit ? this.#edit(original) : original
    if (!event) return { text: '', events: [] }
    const events = this.#parser.push(event)
    const text = this.#filter(event, events) ?? ''
    if (text === original.raw) this.#frames?.learn(original, events)
    return { text, events }
  }

  end(counted: () => Usage | undefined): Translated {
    const events = this.#parser.end()
    return { text: this.isComplete ? this.#filter.end(counted()) : '', events }
  }

  errorText(error: ClientError): string {
    return this.#codec.streamError(error)
  }
}

/** Where nobody looks at each event, and the parser's answers do not hang on what came before. */
function frameReader({ edit, hints }: Looks): FrameReader | undefined {
  const looksBack = hints?.stops ?? hints?.jsonTool ?? hints?.wrapped ?? hints?.cites
  return edit || looksBack ? undefined : new FrameReader()
}

function lateUsage(run: FrameRun, parser: StreamParser | OwnStreamReader): LateUsage | undefined {
  if (!run.tellsUsage) return undefined
  let told: Usage | undefined
  let isRead = false
  return () => {
    if (isRead) return told
    isRead = true
    for (const event of parser.push(run.newest())) if (event.type === 'usage') told = event.usage
    return told
  }
}

interface Conversion extends Looks {
  map?: EventMap | undefined
  /** The parser is that of a dialect. */
  isOfDialect?: boolean
}

export function convertPipeline(
  parser: StreamParser | OwnStreamReader,
  client: DialectCodec,
  meta: AnswerMeta,
  options: Conversion,
): StreamPipeline {
  return new ConvertPipeline(parser, client.streamWriter(meta), options)
}

class ConvertPipeline implements StreamPipeline {
  readonly #parser: StreamParser | OwnStreamReader
  readonly #writer: ReturnType<DialectCodec['streamWriter']>
  readonly #frames: FrameReader | undefined
  readonly #options: Conversion
  #usage: LateUsage | undefined

  constructor(
    parser: StreamParser | OwnStreamReader,
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

  /** The writer is told what the frames before told, unless these events know better. */
  #withLateUsage(events: ChatEvent[]): ChatEvent[] {
    const late = this.#usage
    if (late === undefined) return events
    this.#usage = undefined
    if (events.some(({ type }) => type === 'usage')) return events
    const told = late()
    return told === undefined ? events : [{ type: 'usage', usage: told }, ...events]
  }
}

/** Reads what stood last in a stream. An event that was cut off (late usage that we waited for no longer) is no fault of an answer that is complete.
 *  @throws UpstreamError */
export function pushLast(translator: StreamPipeline, event: SseEvent): Translated | undefined {
  try {
    return translator.push(event)
  } catch (error) {
    if (translator.isComplete && !hookEndOf(error)) return undefined
    throw error
  }
}

/** Edits the parsed data of an event; one without an object as its data stays as it is. */
export function editData(
  event: SseEvent,
  edit: (data: JsonObject) => JsonObject | undefined,
): SseEvent | undefined {
  if (!event.data.startsWith('{')) return event
  let data: JsonObject
  try {
    data = (event.json ?? JSON.parse(event.data)) as JsonObject
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

/** `thinking_to_content`: reasoning becomes text between think marks. One per answer. */
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

/** One after the other. */
export function chained(first: EventMap, second: EventMap): EventMap {
  const onward = (event: ChatEvent) => second.map(event)
  return {
    map: (event) => first.map(event).flatMap(onward),
    end: () => [...(first.end?.() ?? []).flatMap(onward), ...(second.end?.() ?? [])],
  }
}
