import type { AnswerMeta, ClientError, StreamWriter } from '../../contract/dialect.ts'
import type { ChatEvent, EventOf, FinishReason, Usage } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { markdownImage } from '../neutral/media.ts'
import { isOfFirst } from '../neutral/choices.ts'
import { isHiddenThought } from '../neutral/hidden-thoughts.ts'
import { oneBlockAtATime } from '../neutral/one-block.ts'
import { namedEvent } from '../neutral/parsed-event.ts'
import { usageOf } from '../neutral/usage.ts'
import { RunWriter } from '../neutral/write-run.ts'
import { writeCitation } from './citation.ts'
import { streamError } from './errors.ts'
import { refusedReason, writeStopReason } from './stop-reason.ts'
import { writeDeltaUsage, writeUsage } from './usage.ts'
import { messageHead, stopDetails } from './write-answer.ts'

type Writers = {
  [T in ChatEvent['type']]: (writer: MessagesStreamWriter, event: EventOf<T>) => string
}

const NO_TEXT = { type: 'text', text: '', citations: null }
const NO_THOUGHT = { type: 'thinking', thinking: '', signature: '' }

const writers: Writers = {
  start: (writer) => writer.start(),
  text: (writer, event) => writer.text(event.delta),
  refusal: (writer, event) => writer.refuse(event.delta),
  reasoning: (writer, event) =>
    writer.delta('thinking', NO_THOUGHT, { type: 'thinking_delta', thinking: event.delta }),
  reasoning_state: (writer, event) => writer.seal(event),
  tool_start: (writer, event) => writer.openTool(event),
  tool_args: (writer, event) => writer.toolArguments(event.delta),
  tool_end: (writer) => writer.closeBlock(),
  image: (writer, event) => writer.text(markdownImage(event.mediaType, event.data)),
  audio: () => '',
  citation: (writer, event) => writer.cite(event.citation),
  usage: (writer, event) => writer.keepUsage(event.usage),
  finish: (writer, event) => writer.finish(event.reason, event.stopSequence),
  blocked: (writer) => writer.finish('filtered', undefined),
  error: () => '',
}

/** Writes message_delta last, because chat upstreams report usage after the finish reason. */
export class MessagesStreamWriter implements StreamWriter {
  readonly #meta: AnswerMeta
  readonly #inOrder = oneBlockAtATime()
  readonly #runs = new RunWriter()
  #isStarted = false
  /** Index of the open block, or of the next one. */
  #index = 0
  #open: 'text' | 'thinking' | 'tool' | undefined
  #usage: Usage | undefined
  #isRefused = false
  #finish: { reason: FinishReason; stopSequence: string | undefined } | undefined

  constructor(meta: AnswerMeta) {
    this.#meta = meta
  }

  write(event: ChatEvent): string {
    if (!isOfFirst(event, this.#meta) || isHiddenThought(event, this.#meta)) return ''
    let text = ''
    for (const next of this.#inOrder(event)) {
      const write = writers[next.type] as (writer: MessagesStreamWriter, event: ChatEvent) => string
      text += write(this, next)
    }
    return text
  }

  writeRun(kind: 'text' | 'reasoning', deltas: readonly string[]): string {
    if (isHiddenThought({ type: kind }, this.#meta)) return ''
    if (this.#isOpenFor(kind)) return this.#run(kind, deltas)
    const [first, ...rest] = deltas
    if (first === undefined) return ''
    // The first delta opens its block, unless an open tool call makes it wait.
    const opening = this.write({ type: kind, delta: first })
    if (this.#isOpenFor(kind)) return opening + this.#run(kind, rest)
    return opening + rest.map((delta) => this.write({ type: kind, delta })).join('')
  }

  #isOpenFor(kind: 'text' | 'reasoning'): boolean {
    return this.#open === (kind === 'text' ? 'text' : 'thinking')
  }

  #run(kind: 'text' | 'reasoning', deltas: readonly string[]): string {
    const write =
      kind === 'text'
        ? (text: string) => this.#delta({ type: 'text_delta', text })
        : (thinking: string) => this.#delta({ type: 'thinking_delta', thinking })
    return this.#runs.write(`${kind} ${this.#index}`, write, deltas)
  }

  end(): string {
    const { reason: said, stopSequence } = this.#finish ?? { reason: 'stop' as const }
    const reason = this.#isRefused ? refusedReason(said) : said
    const usage = this.#usage ?? usageOf({ input: this.#meta.estimatedInput })
    const delta = {
      container: null,
      stop_reason: writeStopReason(reason),
      stop_sequence: stopSequence ?? null,
      stop_details: stopDetails(reason === 'filtered'),
    }
    return (
      this.start() +
      this.closeBlock() +
      namedEvent('message_delta', { type: 'message_delta', delta, usage: writeDeltaUsage(usage) }) +
      namedEvent('message_stop', { type: 'message_stop' })
    )
  }

  error(error: ClientError): string {
    return streamError(error)
  }

  start(): string {
    if (this.#isStarted) return ''
    this.#isStarted = true
    const known = this.#usage ?? usageOf({ input: this.#meta.estimatedInput })
    const message = { ...messageHead(this.#meta), usage: writeUsage({ ...known, output: 1 }) }
    return namedEvent('message_start', { type: 'message_start', message })
  }

  text(delta: string): string {
    if (delta === '') return ''
    return this.delta('text', NO_TEXT, { type: 'text_delta', text: delta })
  }

  refuse(delta: string): string {
    this.#isRefused = true
    return this.text(delta)
  }

  /** For the open text block: a closed one cannot be added to. */
  cite(neutral: JsonObject): string {
    const citation = this.#open === 'text' ? writeCitation(neutral) : undefined
    if (citation !== undefined) return this.#delta({ type: 'citations_delta', citation })
    this.#meta.drop?.('citations')
    return ''
  }

  /** Writes a delta into a block of its kind; opens one if another kind is open. */
  delta(kind: 'text' | 'thinking', empty: JsonObject, delta: JsonObject): string {
    const opening = this.#open === kind ? '' : this.#openBlock(kind, empty)
    return opening + this.#delta(delta)
  }

  seal(event: EventOf<'reasoning_state'>): string {
    if (event.state.owner !== 'anthropic') return ''
    if (event.redacted) {
      const block = { type: 'redacted_thinking', data: event.state.data }
      return this.#openBlock('thinking', block) + this.closeBlock()
    }
    const signature = { type: 'signature_delta', signature: event.state.data }
    return this.delta('thinking', NO_THOUGHT, signature) + this.closeBlock()
  }

  openTool(event: EventOf<'tool_start'>): string {
    const block = {
      type: 'tool_use',
      id: event.id,
      name: event.name,
      input: {},
      caller: { type: 'direct' },
    }
    return this.#openBlock('tool', block) + this.toolArguments('')
  }

  toolArguments(delta: string): string {
    if (this.#open !== 'tool') return ''
    return this.#delta({ type: 'input_json_delta', partial_json: delta })
  }

  keepUsage(usage: Usage): string {
    this.#usage = usage
    return ''
  }

  finish(reason: FinishReason, stopSequence: string | undefined): string {
    this.#finish ??= { reason, stopSequence }
    return this.start() + this.closeBlock()
  }

  closeBlock(): string {
    if (this.#open === undefined) return ''
    this.#open = undefined
    const index = this.#index
    this.#index += 1
    return namedEvent('content_block_stop', { type: 'content_block_stop', index })
  }

  #openBlock(kind: 'text' | 'thinking' | 'tool', block: JsonObject): string {
    const before = this.start() + this.closeBlock()
    this.#open = kind
    const opening = { type: 'content_block_start', index: this.#index, content_block: block }
    return before + namedEvent('content_block_start', opening)
  }

  #delta(delta: JsonObject): string {
    return `event: content_block_delta\ndata: {"type":"content_block_delta","index":${this.#index},"delta":${JSON.stringify(delta)}}\n\n`
  }
}
