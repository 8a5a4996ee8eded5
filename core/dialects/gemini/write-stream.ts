import type { AnswerMeta, ClientError, StreamWriter } from '../../contract/dialect.ts'
import type {
  ChatEvent,
  EventOf,
  FinishReason,
  OpaqueState,
  Usage,
} from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { isHiddenThought } from '../neutral/hidden-thoughts.ts'
import { writeGeminiLogprobs } from '../neutral/logprobs.ts'
import { oneBlockAtATime } from '../neutral/one-block.ts'
import { dataEvent } from '../neutral/parsed-event.ts'
import { RunWriter } from '../neutral/write-run.ts'
import { streamError } from './errors.ts'
import { writeFinishReason } from './finish-reason.ts'
import { groundingOf } from './grounding.ts'
import { signature } from './signature.ts'
import { answerTail, callPart, imagePart, speechPart } from './write-parts.ts'

type Writers = {
  [T in ChatEvent['type']]: (writer: GeminiStreamWriter, event: EventOf<T>) => string
}

const writers: Writers = {
  start: () => '',
  text: (writer, event) => writer.text(event),
  refusal: (writer, event) => writer.part({ text: event.delta }, event.choice),
  reasoning: (writer, event) => writer.part({ text: event.delta, thought: true }, event.choice),
  reasoning_state: (writer, event) => writer.seal(event.state),
  tool_start: (writer, event) => writer.openCall(event),
  tool_args: (writer, event) => writer.callArguments(event.delta),
  tool_end: (writer, event) => writer.closeCall(event.choice),
  image: (writer, event) => writer.part(imagePart(event.mediaType, event.data, event.state)),
  audio: (writer, event) => writer.speak(event.delta),
  citation: (writer, event) => writer.cite(event.citation),
  usage: (writer, event) => writer.keepUsage(event.usage),
  finish: (writer, event) => writer.finish(event.reason, event.choice),
  blocked: (writer, event) => writer.block(event.reason),
  error: () => '',
}

/** Each chunk is a complete GenerateContentResponse; a tool call is collected and written as one part. */
export class GeminiStreamWriter implements StreamWriter {
  readonly #meta: AnswerMeta
  readonly #inOrder = oneBlockAtATime()
  readonly #runs = new RunWriter()
  readonly #citations: JsonObject[] = []
  #call: { id: string; name: string; arguments: string; state?: OpaqueState } | undefined
  #usage: Usage | undefined
  #usagesWritten = 0
  /** By candidate. */
  readonly #reasons = new Map<number, FinishReason>()
  #blocked: string | undefined
  /** The text of the first candidate, if pages may be cited: their positions are given in bytes of it. */
  #text: string | undefined

  constructor(meta: AnswerMeta) {
    this.#meta = meta
    if (meta.request?.webSearch !== undefined) this.#text = ''
  }

  write(event: ChatEvent): string {
    if (isHiddenThought(event, this.#meta)) return ''
    let text = ''
    for (const next of this.#inOrder(event)) {
      const write = writers[next.type] as (writer: GeminiStreamWriter, event: ChatEvent) => string
      text += write(this, next)
    }
    return text
  }

  writeRun(kind: 'text' | 'reasoning', deltas: readonly string[]): string {
    if (isHiddenThought({ type: kind }, this.#meta)) return ''
    // An open tool call makes them wait.
    if (this.#call !== undefined)
      return deltas.map((delta) => this.write({ type: kind, delta })).join('')
    if (kind === 'text') this.#keepText(deltas.join(''))
    const thought = kind === 'text' ? {} : { thought: true }
    // Each chunk reports the usage so far.
    const key = `${kind} ${this.#usagesWritten}`
    return this.#runs.write(key, (text) => this.part({ text, ...thought }), deltas)
  }

  /** The finish reason and the final counts are in the last chunk. */
  end(): string {
    const tail = answerTail(this.#meta, this.#usage)
    if (this.#blocked !== undefined) {
      return dataEvent({ promptFeedback: { blockReason: this.#blocked }, ...tail })
    }
    if (this.#reasons.size === 0) this.#reasons.set(0, 'stop')
    const candidates = [...this.#reasons].map(([index, reason]) => ({
      content: { parts: [{ text: '' }], role: 'model' },
      finishReason: writeFinishReason(reason),
      index,
      ...(index === 0 ? groundingOf(this.#citations, this.#text) : {}),
    }))
    return this.closeCall(0) + dataEvent({ candidates, ...tail })
  }

  error(error: ClientError): string {
    return streamError(error)
  }

  part(part: JsonObject, choice = 0, more: JsonObject = {}): string {
    const candidate = { content: { parts: [part], role: 'model' }, index: choice, ...more }
    return dataEvent({ candidates: [candidate], ...answerTail(this.#meta, this.#usage) })
  }

  text(event: EventOf<'text'>): string {
    const seal = signature(event.state)
    const logprobs = writeGeminiLogprobs(event.logprobs)
    const isNothing = event.delta === '' && seal.thoughtSignature === undefined
    if (!event.choice) this.#keepText(event.delta)
    if (isNothing && event.logprobs === undefined) return ''
    return this.part({ text: event.delta, ...seal }, event.choice, logprobs)
  }

  #keepText(text: string): void {
    if (this.#text !== undefined) this.#text += text
  }

  seal(state: OpaqueState): string {
    const seal = signature(state)
    return seal.thoughtSignature === undefined
      ? ''
      : this.part({ text: '', thought: true, ...seal })
  }

  openCall(event: EventOf<'tool_start'>): string {
    this.#call = { id: event.id, name: event.name, arguments: '' }
    if (event.state !== undefined) this.#call.state = event.state
    return ''
  }

  callArguments(delta: string): string {
    if (this.#call !== undefined) this.#call.arguments += delta
    return ''
  }

  closeCall(choice: number | undefined): string {
    const call = this.#call
    if (call === undefined) return ''
    this.#call = undefined
    return this.part(callPart(call), choice)
  }

  speak(delta: JsonObject): string {
    const part = speechPart(delta)
    return part === undefined ? '' : this.part(part)
  }

  cite(citation: JsonObject): string {
    this.#citations.push(citation)
    return ''
  }

  keepUsage(usage: Usage): string {
    this.#usage = usage
    this.#usagesWritten += 1
    return ''
  }

  finish(reason: FinishReason, choice = 0): string {
    if (!this.#reasons.has(choice)) this.#reasons.set(choice, reason)
    return ''
  }

  block(reason: string): string {
    this.#blocked = reason
    return ''
  }
}
