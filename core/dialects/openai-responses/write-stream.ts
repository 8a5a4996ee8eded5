import type { AnswerMeta, ClientError, StreamWriter } from '../../contract/dialect.ts'
import type {
  ChatEvent,
  EventOf,
  FinishReason,
  OpaqueState,
  TokenLogprob,
  Usage,
} from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { freeformNames } from '../neutral/freeform-tools.ts'
import { isOfFirst } from '../neutral/choices.ts'
import { oneBlockAtATime } from '../neutral/one-block.ts'
import { documentPlace } from '../neutral/citations.ts'
import { citationFrom } from './citation.ts'
import { errorEvent, failedResponse } from './errors.ts'
import { namedEvent } from '../neutral/parsed-event.ts'
import { charCount } from '../neutral/text-places.ts'
import { aroundText } from '../neutral/write-run.ts'
import { type ClientTool, clientToolsOf } from './client-tools.ts'
import { type OwnName, ownNames } from './namespaces.ts'
import { imageItem } from './output-items.ts'
import {
  CallWriter,
  ClientCallWriter,
  CustomCallWriter,
  type EmitRun,
  type ItemWriter,
  MessageWriter,
  ReasoningWriter,
} from './item-writers.ts'
import { closedResponse, openResponse } from './response-object.ts'

type Writers = {
  [T in ChatEvent['type']]: (writer: ResponsesStreamWriter, event: EventOf<T>) => string
}

const writers: Writers = {
  start: (writer) => writer.start(),
  text: (writer, event) => writer.message('output_text', event.delta, event.logprobs),
  refusal: (writer, event) => writer.message('refusal', event.delta),
  reasoning: (writer, event) => writer.reasoning(event.delta),
  reasoning_state: (writer, event) => writer.seal(event.state),
  tool_start: (writer, event) => writer.openCall(event),
  tool_args: (writer, event) => writer.callArguments(event.delta),
  tool_end: (writer) => writer.closeItem('completed'),
  image: (writer, event) => writer.image(event),
  audio: () => '',
  citation: (writer, event) => writer.cite(event.citation),
  usage: (writer, event) => writer.keepUsage(event.usage),
  finish: (writer, event) => writer.finish(event.reason),
  blocked: (writer) => writer.finish('filtered'),
  error: () => '',
}

/** The last event is held back until the end, because upstreams of the chat dialect send usage after the finish reason. */
export class ResponsesStreamWriter implements StreamWriter {
  readonly #meta: AnswerMeta
  readonly #freeform: ReadonlySet<string>
  readonly #clientTools: ReadonlyMap<string, ClientTool>
  readonly #nameOf: (name: string, namespace?: string) => OwnName
  readonly #inOrder = oneBlockAtATime()
  readonly #output: JsonObject[] = []
  #isStarted = false
  #sequence = 0
  #item: ItemWriter | undefined
  /** The text before and after each text of a run of this item. */
  #around: ReturnType<typeof aroundText>
  #runItem: ItemWriter | undefined
  /** Number of characters in the messages before this one. */
  #charsBefore = 0
  #usage: Usage | undefined
  #reason: FinishReason | undefined

  constructor(meta: AnswerMeta) {
    this.#meta = meta
    this.#freeform = freeformNames(meta.request)
    this.#clientTools = clientToolsOf(meta.request)
    this.#nameOf = ownNames(meta.request)
  }

  write(event: ChatEvent): string {
    if (!isOfFirst(event, this.#meta)) return ''
    let text = ''
    for (const next of this.#inOrder(event)) {
      const write = writers[next.type] as (
        writer: ResponsesStreamWriter,
        event: ChatEvent,
      ) => string
      text += write(this, next)
    }
    return text
  }

  writeRun(kind: 'text' | 'reasoning', deltas: readonly string[]): string {
    const open = this.#openFor(kind)
    if (open) return open.deltas(deltas, this.#emitRun)
    const [first, ...rest] = deltas
    if (first === undefined) return ''
    // The first text opens the item, unless an open tool call delays it.
    const opening = this.write({ type: kind, delta: first })
    const opened = this.#openFor(kind)
    if (opened) return opening + opened.deltas(rest, this.#emitRun)
    return opening + rest.map((delta) => this.write({ type: kind, delta })).join('')
  }

  #openFor(kind: 'text' | 'reasoning'): MessageWriter | ReasoningWriter | undefined {
    const open = this.#item
    if (kind === 'reasoning') return open instanceof ReasoningWriter ? open : undefined
    return open instanceof MessageWriter && open.kind === 'output_text' ? open : undefined
  }

  end(): string {
    const before = this.start() + this.finish('stop')
    const head = closedResponse(this.#meta, this.#reason ?? 'stop', this.#usage)
    const response = { ...head, output: this.#output }
    this.#meta.keepOutput?.(this.#output, head)
    return before + this.emit(`response.${String(head.status)}`, { response })
  }

  error(error: ClientError): string {
    const begun = { ...openResponse(this.#meta), output: this.#output }
    const response = failedResponse(error, begun)
    return (
      this.start() +
      this.emit('error', errorEvent(error)) +
      this.emit('response.failed', { response })
    )
  }

  emit = (type: string, fields: JsonObject): string => {
    const sequence = this.#sequence
    this.#sequence += 1
    return namedEvent(type, { type, sequence_number: sequence, ...fields })
  }

  readonly #emitRun: EmitRun = (type, fields, texts) => {
    // All runs of an item have the same type.
    if (this.#runItem !== this.#item) {
      this.#runItem = this.#item
      this.#around = aroundText((text) => JSON.stringify(fields(text)))
    }
    const around = this.#around
    if (around === undefined) return texts.map((text) => this.emit(type, fields(text))).join('')
    const head = `event: ${type}\ndata: {"type":"${type}","sequence_number":`
    const before = `,${around.before.slice(1)}`
    const after = `${around.after}\n\n`
    let written = ''
    for (const text of texts) {
      written += head + this.#sequence + before + text + after
      this.#sequence += 1
    }
    return written
  }

  start(): string {
    if (this.#isStarted) return ''
    this.#isStarted = true
    const response = openResponse(this.#meta)
    return (
      this.emit('response.created', { response }) + this.emit('response.in_progress', { response })
    )
  }

  message(
    kind: 'output_text' | 'refusal',
    delta: string,
    logprobs: readonly TokenLogprob[] = [],
  ): string {
    if (delta === '' && logprobs.length === 0) return ''
    const open = this.#item
    if (open instanceof MessageWriter && open.kind === kind) return open.delta(delta, logprobs)
    const writer = new MessageWriter(this.emit, this.#slot('msg'), kind)
    return this.#openItem(writer) + writer.delta(delta, logprobs)
  }

  reasoning(delta: string): string {
    if (this.#item instanceof ReasoningWriter) return this.#item.delta(delta)
    const writer = new ReasoningWriter(this.emit, this.#slot('rs'))
    return this.#openItem(writer) + writer.delta(delta)
  }

  seal(state: OpaqueState): string {
    if (state.owner !== 'openai') return ''
    let before = ''
    if (!(this.#item instanceof ReasoningWriter)) {
      before = this.#openItem(new ReasoningWriter(this.emit, this.#slot('rs')))
    }
    if (this.#item instanceof ReasoningWriter) this.#item.state = state
    return before + this.closeItem('completed')
  }

  openCall(event: EventOf<'tool_start'>): string {
    const called = this.#nameOf(event.name, event.namespace)
    const tool = this.#clientTools.get(event.name)
    if (tool) {
      const slot = this.#slot(tool.idPrefix)
      return this.#openItem(new ClientCallWriter(this.emit, slot, event.id, tool))
    }
    const writer = this.#freeform.has(event.name)
      ? new CustomCallWriter(this.emit, this.#slot('ctc'), event.id, called)
      : new CallWriter(this.emit, this.#slot('fc'), event.id, called)
    return this.#openItem(writer)
  }

  callArguments(delta: string): string {
    const open = this.#item
    const isCall =
      open instanceof CallWriter ||
      open instanceof CustomCallWriter ||
      open instanceof ClientCallWriter
    return isCall ? open.delta(delta) : ''
  }

  image(event: EventOf<'image'>): string {
    const before = this.start() + this.closeItem('completed')
    const slot = this.#slot('ig')
    const item = imageItem(slot.id, event.mediaType, event.data)
    this.#output.push(item)
    return (
      before +
      this.emit('response.output_item.added', {
        output_index: slot.index,
        item: { ...item, status: 'in_progress', result: null },
      }) +
      this.emit('response.output_item.done', { output_index: slot.index, item })
    )
  }

  cite(citation: JsonObject): string {
    const open = this.#item
    if (!(open instanceof MessageWriter) || documentPlace(citation) !== undefined) {
      this.#meta.drop?.('citations')
      return ''
    }
    return open.cite(citationFrom(citation, this.#charsBefore))
  }

  keepUsage(usage: Usage): string {
    this.#usage = usage
    return ''
  }

  finish(reason: FinishReason): string {
    this.#reason ??= reason
    const isCut = this.#reason === 'length' || this.#reason === 'filtered'
    return this.closeItem(isCut ? 'incomplete' : 'completed')
  }

  closeItem(status: 'completed' | 'incomplete'): string {
    const item = this.#item
    if (item === undefined) return ''
    this.#item = undefined
    if (item instanceof MessageWriter) this.#charsBefore += charCount(item.text)
    const closed = item.close(status)
    this.#output.push(closed.item)
    return closed.text
  }

  #openItem(writer: ItemWriter): string {
    const before = this.start() + this.closeItem('completed')
    this.#item = writer
    return before + writer.open()
  }

  #slot(prefix: string): { id: string; index: number } {
    // The open item is added to the list when it is closed.
    const index = this.#output.length + (this.#item === undefined ? 0 : 1)
    return { id: `${prefix}_${this.#meta.requestId}_${index}`, index }
  }
}
