import type { AnswerMeta, ClientError, StreamWriter } from '../../contract/dialect.ts'
import type {
  ChatEvent,
  EventOf,
  FinishReason,
  OpaqueState,
  Usage,
} from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { signature } from '../gemini/signature.ts'
import { aggregateAnswer } from '../neutral/aggregate-answer.ts'
import { oneBlockAtATime } from '../neutral/one-block.ts'
import { blockedBy, closedInteraction, interactionHead, stepsOfAnswer } from './write-answer.ts'
import { annotationOf, audioContent, imageContent, textContent } from './written-steps.ts'

type Writers = {
  [T in ChatEvent['type']]: (writer: InteractionWriter, event: EventOf<T>) => string
}

const writers: Writers = {
  start: () => '',
  text: (writer, event) => writer.text(event.delta, event.state),
  refusal: (writer, event) => writer.text(event.delta),
  reasoning: (writer, event) => writer.think(event.delta),
  reasoning_state: (writer, event) => writer.seal(event.state),
  tool_start: (writer, event) => writer.call(event),
  tool_args: (writer, event) => writer.callArguments(event.delta),
  tool_end: (writer) => writer.stop(),
  image: (writer, event) =>
    (event.state ? writer.seal(event.state) : '') +
    writer.show(imageContent(event.mediaType, event.data)),
  audio: (writer, event) => writer.show(audioContent(event.delta)),
  citation: (writer, event) => writer.cite(event.citation),
  usage: (writer, event) => writer.keepUsage(event.usage),
  finish: (writer, event) => writer.finish(event.reason),
  blocked: (writer, event) => writer.block(event.reason),
  error: () => '',
}

/** Steps come one after the other: start, deltas, stop. */
export class InteractionWriter implements StreamWriter {
  readonly #meta: AnswerMeta
  readonly #inOrder = oneBlockAtATime()
  /** All that was said, if the next interaction may go on from it. */
  readonly #said: ChatEvent[] = []
  #isBegun = false
  /** How many steps have begun. */
  #begun = 0
  /** The type of the step that has not stopped. */
  #open: string | undefined
  #usage: Usage | undefined
  #reason: FinishReason | undefined
  #blocked: string | undefined

  constructor(meta: AnswerMeta) {
    this.#meta = meta
  }

  write(event: ChatEvent): string {
    let text = ''
    // An interaction has one answer.
    if ('choice' in event && event.choice) return text
    if (this.#meta.keepOutput) this.#said.push(event)
    for (const next of this.#inOrder(event)) {
      const write = writers[next.type] as (writer: InteractionWriter, event: ChatEvent) => string
      text += write(this, next)
    }
    return text
  }

  end(): string {
    const ending = { blocked: this.#blocked, reason: this.#reason, usage: this.#usage }
    const head = closedInteraction(this.#meta, ending)
    const { errors: _errors, ...interaction } = head
    const refused =
      this.#blocked === undefined ? '' : written('error', { error: blockedBy(this.#blocked) })
    const text = this.#begin() + this.stop() + refused
    this.#meta.keepOutput?.(stepsOfAnswer(aggregateAnswer(this.#said)), head)
    return `${text}${written('interaction.completed', { interaction })}event: done\ndata: [DONE]\n\n`
  }

  error(error: ClientError): string {
    return streamError(error)
  }

  text(delta: string, state?: OpaqueState): string {
    const sealed = state ? this.seal(state) : ''
    return delta === '' ? sealed : sealed + this.#add('model_output', textContent(delta))
  }

  think(delta: string): string {
    return delta === ''
      ? ''
      : this.#add('thought', { type: 'thought_summary', content: textContent(delta) })
  }

  seal(state: OpaqueState): string {
    const { thoughtSignature } = signature(state)
    if (thoughtSignature === undefined) return ''
    return this.#add('thought', { type: 'thought_signature', signature: thoughtSignature })
  }

  show(content: JsonObject | undefined): string {
    return content ? this.#add('model_output', content) : ''
  }

  cite(citation: JsonObject): string {
    return this.#add('model_output', {
      type: 'text_annotation_delta',
      annotations: [annotationOf(citation)],
    })
  }

  call({ id, name, state }: EventOf<'tool_start'>): string {
    const sealed = state ? this.seal(state) : ''
    return sealed + this.stop() + this.#start({ type: 'function_call', id, name, arguments: {} })
  }

  callArguments(delta: string): string {
    return delta === '' ? '' : this.#delta({ type: 'arguments_delta', arguments: delta })
  }

  keepUsage(usage: Usage): string {
    this.#usage = usage
    return ''
  }

  finish(reason: FinishReason): string {
    this.#reason ??= reason
    return ''
  }

  block(reason: string): string {
    this.#blocked = reason
    return ''
  }

  stop(): string {
    if (this.#open === undefined) return ''
    this.#open = undefined
    return written('step.stop', { index: this.#begun - 1 })
  }

  /** Begins a step of this type, unless the open one is. */
  #add(type: string, delta: JsonObject): string {
    const begun = this.#open === type ? '' : this.stop() + this.#start({ type })
    return begun + this.#delta(delta)
  }

  #begin(): string {
    if (this.#isBegun) return ''
    this.#isBegun = true
    const interaction = { ...interactionHead(this.#meta), status: 'in_progress' }
    return written('interaction.created', { interaction })
  }

  #start(step: JsonObject & { type: string }): string {
    this.#open = step.type
    this.#begun += 1
    return this.#begin() + written('step.start', { index: this.#begun - 1, step })
  }

  #delta(delta: JsonObject): string {
    return written('step.delta', { index: this.#begun - 1, delta })
  }
}

export function streamError({ status, code, message }: ClientError): string {
  return written('error', { error: { code: String(code ?? status), message } })
}

function written(type: string, data: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify({ event_type: type, ...data })}\n\n`
}
