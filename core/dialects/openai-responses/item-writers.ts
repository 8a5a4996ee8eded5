// One writer for each kind of output item: it writes the events that open, fill and close the item.
import type { OpaqueState, TokenLogprob } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { freeformInput } from '../neutral/freeform-tools.ts'
import { clientCallItem, type ClientTool } from './client-tools.ts'
import type { OwnName } from './namespaces.ts'
import {
  callItem,
  customCallItem,
  type ItemStatus,
  messageItem,
  reasoningItem,
  refusalPart,
  textPart,
} from './output-items.ts'

type Emit = (type: string, fields: JsonObject) => string
/** Writes the same event for each of the texts. */
export type EmitRun = (
  type: string,
  fields: (text: string) => JsonObject,
  texts: readonly string[],
) => string

export interface Slot {
  id: string
  index: number
}

export interface ItemWriter {
  open(): string
  close(status: 'completed' | 'incomplete'): { text: string; item: JsonObject }
}

const added = 'response.output_item.added'
const done = 'response.output_item.done'

export class MessageWriter implements ItemWriter {
  readonly kind: 'output_text' | 'refusal'
  readonly #emit: Emit
  readonly #slot: Slot
  readonly #annotations: JsonObject[] = []
  readonly #logprobs: TokenLogprob[] = []
  #text = ''

  constructor(emit: Emit, slot: Slot, kind: 'output_text' | 'refusal') {
    this.#emit = emit
    this.#slot = slot
    this.kind = kind
  }

  open(): string {
    const item = messageItem(this.#slot.id, 'in_progress', [])
    return (
      this.#emit(added, { output_index: this.#slot.index, item }) +
      this.#emit('response.content_part.added', { ...this.#place(), part: this.#part('') })
    )
  }

  delta(delta: string, logprobs: readonly TokenLogprob[] = []): string {
    this.#text += delta
    this.#logprobs.push(...logprobs)
    const extra = this.kind === 'output_text' ? { logprobs } : {}
    return this.#emit(`response.${this.kind}.delta`, { ...this.#place(), delta, ...extra })
  }

  /** Adds texts to an `output_text` that has begun. */
  deltas(texts: readonly string[], emitRun: EmitRun): string {
    this.#text += texts.join('')
    const fields = (delta: string) => ({ ...this.#place(), delta, logprobs: [] })
    return emitRun('response.output_text.delta', fields, texts)
  }

  /** The text so far; empty for a refusal, which cites nothing. */
  get text(): string {
    return this.kind === 'output_text' ? this.#text : ''
  }

  cite(annotation: JsonObject): string {
    const index = this.#annotations.push(annotation) - 1
    const fields = { ...this.#place(), annotation_index: index, annotation }
    return this.#emit('response.output_text.annotation.added', fields)
  }

  close(status: 'completed' | 'incomplete'): { text: string; item: JsonObject } {
    const part = this.#part(this.#text)
    const item = messageItem(this.#slot.id, status, [part])
    const whole =
      this.kind === 'output_text'
        ? { text: this.#text, logprobs: this.#logprobs }
        : { refusal: this.#text }
    const text =
      this.#emit(`response.${this.kind}.done`, { ...this.#place(), ...whole }) +
      this.#emit('response.content_part.done', { ...this.#place(), part }) +
      this.#emit(done, { output_index: this.#slot.index, item })
    return { text, item }
  }

  #place(): JsonObject {
    return { item_id: this.#slot.id, output_index: this.#slot.index, content_index: 0 }
  }

  #part(text: string): JsonObject {
    if (this.kind === 'refusal') return refusalPart(text)
    // The part is sent once before its text begins.
    return textPart(text, this.#annotations, text === '' ? [] : this.#logprobs)
  }
}

export class ReasoningWriter implements ItemWriter {
  state: OpaqueState | undefined
  readonly #emit: Emit
  readonly #slot: Slot
  #text = ''

  constructor(emit: Emit, slot: Slot) {
    this.#emit = emit
    this.#slot = slot
  }

  open(): string {
    const item = reasoningItem(this.#slot.id, '')
    return this.#emit(added, { output_index: this.#slot.index, item })
  }

  delta(delta: string): string {
    const opening =
      this.#text === ''
        ? this.#emit('response.reasoning_summary_part.added', {
            ...this.#place(),
            part: summary(''),
          })
        : ''
    this.#text += delta
    return (
      opening + this.#emit('response.reasoning_summary_text.delta', { ...this.#place(), delta })
    )
  }

  /** Adds texts to a reasoning item that has begun. */
  deltas(texts: readonly string[], emitRun: EmitRun): string {
    this.#text += texts.join('')
    const fields = (delta: string) => ({ ...this.#place(), delta })
    return emitRun('response.reasoning_summary_text.delta', fields, texts)
  }

  close(): { text: string; item: JsonObject } {
    // The id was sent when the item was opened, so a sealed item must keep it.
    const item = { ...reasoningItem(this.#slot.id, this.#text, this.state), id: this.#slot.id }
    const part = summary(this.#text)
    const summaryDone =
      this.#text === ''
        ? ''
        : this.#emit('response.reasoning_summary_text.done', {
            ...this.#place(),
            text: this.#text,
          }) + this.#emit('response.reasoning_summary_part.done', { ...this.#place(), part })
    const text = summaryDone + this.#emit(done, { output_index: this.#slot.index, item })
    return { text, item }
  }

  #place(): JsonObject {
    return { item_id: this.#slot.id, output_index: this.#slot.index, summary_index: 0 }
  }
}

function summary(text: string): JsonObject {
  return { type: 'summary_text', text }
}

export class CallWriter implements ItemWriter {
  readonly #emit: Emit
  readonly #slot: Slot
  readonly #call: { id: string; called: OwnName; arguments: string }

  constructor(emit: Emit, slot: Slot, id: string, called: OwnName) {
    this.#emit = emit
    this.#slot = slot
    this.#call = { id, called, arguments: '' }
  }

  open(): string {
    const item = callItem(this.#slot.id, 'in_progress', this.#call)
    return this.#emit(added, { output_index: this.#slot.index, item })
  }

  delta(delta: string): string {
    if (delta === '') return ''
    this.#call.arguments += delta
    return this.#emit('response.function_call_arguments.delta', { ...this.#place(), delta })
  }

  close(status: 'completed' | 'incomplete'): { text: string; item: JsonObject } {
    // A call without arguments streams none, but its arguments must be an object.
    const empty = this.#call.arguments === '' ? this.delta('{}') : ''
    const item = callItem(this.#slot.id, status, this.#call)
    const { called, arguments: whole } = this.#call
    const text =
      empty +
      this.#emit('response.function_call_arguments.done', {
        ...this.#place(),
        name: called.name,
        arguments: whole,
      }) +
      this.#emit(done, { output_index: this.#slot.index, item })
    return { text, item }
  }

  #place(): JsonObject {
    return { item_id: this.#slot.id, output_index: this.#slot.index }
  }
}

/** A call of a tool of OpenAI's is an object, which is sent when it is complete. */
export class ClientCallWriter implements ItemWriter {
  readonly #emit: Emit
  readonly #slot: Slot
  readonly #id: string
  readonly #tool: ClientTool
  #text = ''

  constructor(emit: Emit, slot: Slot, id: string, tool: ClientTool) {
    this.#emit = emit
    this.#slot = slot
    this.#id = id
    this.#tool = tool
  }

  open(): string {
    return this.#emit(added, { output_index: this.#slot.index, item: this.#item('in_progress') })
  }

  delta(delta: string): string {
    this.#text += delta
    return ''
  }

  close(status: 'completed' | 'incomplete'): { text: string; item: JsonObject } {
    const item = this.#item(status)
    return { text: this.#emit(done, { output_index: this.#slot.index, item }), item }
  }

  #item(status: ItemStatus): JsonObject {
    const call = { id: this.#id, text: this.#text }
    return clientCallItem(this.#tool, this.#slot.id, status, call)
  }
}

/** Other providers send the input of a custom tool as JSON, so it is sent when the JSON is complete. */
export class CustomCallWriter implements ItemWriter {
  readonly #emit: Emit
  readonly #slot: Slot
  readonly #id: string
  readonly #called: OwnName
  #arguments = ''

  constructor(emit: Emit, slot: Slot, id: string, called: OwnName) {
    this.#emit = emit
    this.#slot = slot
    this.#id = id
    this.#called = called
  }

  open(): string {
    const item = this.#item('in_progress', '')
    return this.#emit(added, { output_index: this.#slot.index, item })
  }

  delta(delta: string): string {
    this.#arguments += delta
    return ''
  }

  close(status: 'completed' | 'incomplete'): { text: string; item: JsonObject } {
    const input = freeformInput(this.#arguments)
    const place = { item_id: this.#slot.id, output_index: this.#slot.index }
    const item = this.#item(status, input)
    const text =
      this.#emit('response.custom_tool_call_input.delta', { ...place, delta: input }) +
      this.#emit('response.custom_tool_call_input.done', { ...place, input }) +
      this.#emit(done, { output_index: this.#slot.index, item })
    return { text, item }
  }

  #item(status: ItemStatus, input: string): JsonObject {
    return customCallItem(this.#slot.id, status, { id: this.#id, called: this.#called, input })
  }
}
