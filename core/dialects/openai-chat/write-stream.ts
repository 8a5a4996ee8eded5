import type { AnswerMeta, ClientError, StreamWriter } from '../../contract/dialect.ts'
import type { ChatEvent, EventOf, TokenLogprob, Usage } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { withoutDocuments } from '../neutral/citations.ts'
import { freeformInput, freeformNames } from '../neutral/freeform-tools.ts'
import { dataEvent } from '../neutral/parsed-event.ts'
import { markdownImage } from '../neutral/media.ts'
import { RunWriter } from '../neutral/write-run.ts'
import { streamError } from './errors.ts'
import { writeFinishReason } from './finish-reason.ts'
import { writeUsage } from './usage.ts'
import { signatureOf } from './write-answer.ts'

type Writers = { [T in ChatEvent['type']]: (writer: ChatStreamWriter, event: EventOf<T>) => string }

const writers: Writers = {
  start: (writer) => writer.role(0),
  text: (writer, event) =>
    event.delta === '' && event.logprobs === undefined
      ? ''
      : writer.delta({ content: event.delta }, event.choice, event.logprobs),
  reasoning: (writer, event) => writer.delta({ reasoning_content: event.delta }, event.choice),
  reasoning_state: () => '',
  refusal: (writer, event) => writer.delta({ refusal: event.delta }, event.choice),
  tool_start: (writer, event) => writer.toolStart(event),
  tool_args: (writer, event) => writer.toolArguments(event),
  tool_end: (writer, event) => writer.toolEnd(event),
  image: (writer, event) =>
    writer.delta({ content: markdownImage(event.mediaType, event.data) }, 0),
  audio: (writer, event) => writer.delta({ audio: event.delta }, 0),
  citation: (writer, event) => writer.cite(event.citation),
  usage: (writer, event) => writer.keepUsage(event.usage),
  finish: (writer, event) => writer.finish(writeFinishReason(event.reason), event.choice),
  blocked: (writer) => writer.finish('content_filter', 0),
  // The relay writes errors, because it knows their class and status.
  error: () => '',
}

export class ChatStreamWriter implements StreamWriter {
  readonly #meta: AnswerMeta
  /** The beginning of every chunk up to the delta, which differs only in the choice. */
  readonly #head: string
  readonly #tail: string
  readonly #runs = new RunWriter()
  readonly #begun = new Set<number>()
  readonly #finished = new Set<number>()
  readonly #withArguments = new Set<number>()
  /** Clients count the calls of each choice from 0. */
  readonly #places = new Map<number, number>()
  readonly #callCounts = new Map<number, number>()
  readonly #freeform: ReadonlySet<string>
  /** Arguments of open calls of custom tools. Their input is inside JSON, so it is sent when the JSON is complete. */
  readonly #held = new Map<number, { text: string; choice: number }>()
  /** Told in one delta, as OpenAI does: its SDKs do not join the lists of several. */
  #citations: JsonObject[] = []
  #usage: Usage | undefined
  #hasCalls = false

  constructor(meta: AnswerMeta) {
    this.#meta = meta
    this.#freeform = freeformNames(meta.request)
    const id = JSON.stringify(`chatcmpl-${meta.requestId}`)
    const model = JSON.stringify(meta.requestedModel)
    this.#head = `data: {"id":${id},"object":"chat.completion.chunk","created":${meta.createdSeconds},"model":${model},"choices":[{"index":`
    this.#tail = meta.includeUsage ? '}],"usage":null}\n\n' : '}]}\n\n'
  }

  write(event: ChatEvent): string {
    const write = writers[event.type] as (writer: ChatStreamWriter, event: ChatEvent) => string
    return write(this, event)
  }

  writeRun(kind: 'text' | 'reasoning', deltas: readonly string[]): string {
    const field = kind === 'text' ? 'content' : 'reasoning_content'
    const write = (text: string) => this.#chunk({ [field]: text }, 0, null)
    return this.role(0) + this.#runs.write(kind, write, deltas)
  }

  end(): string {
    const finish = this.#finished.size === 0 ? this.finish('stop', 0) : this.#cited()
    return `${finish}${this.#usageChunk()}data: [DONE]\n\n`
  }

  error(error: ClientError): string {
    return streamError(error)
  }

  /** The first chunk of a choice, which contains the role. */
  role(choice: number): string {
    if (this.#begun.has(choice)) return ''
    this.#begun.add(choice)
    return this.#chunk({ role: 'assistant', content: '', refusal: null }, choice, null)
  }

  delta(delta: JsonObject, choice = 0, logprobs?: readonly TokenLogprob[]): string {
    return this.role(choice) + this.#chunk(delta, choice, null, logprobs)
  }

  cite(citation: JsonObject): string {
    this.#citations.push(...withoutDocuments([citation]))
    return ''
  }

  #cited(): string {
    const annotations = this.#citations
    this.#citations = []
    return annotations.length === 0 ? '' : this.delta({ annotations }, 0)
  }

  toolStart(event: EventOf<'tool_start'>): string {
    this.#hasCalls = true
    if (this.#meta.legacyFunctions) {
      return this.delta({ function_call: { name: event.name, arguments: '' } }, event.choice)
    }
    const choice = event.choice ?? 0
    const place = this.#callCounts.get(choice) ?? 0
    this.#callCounts.set(choice, place + 1)
    this.#places.set(event.index, place)
    const isFreeform = event.freeform ?? this.#freeform.has(event.name)
    if (isFreeform) this.#held.set(event.index, { text: '', choice })
    const call = {
      index: place,
      id: event.id,
      ...(isFreeform
        ? { type: 'custom', custom: { name: event.name, input: '' } }
        : { type: 'function', function: { name: event.name, arguments: '' } }),
      ...signatureOf(event.state),
    }
    return this.delta({ tool_calls: [call] }, event.choice)
  }

  toolArguments(event: EventOf<'tool_args'>): string {
    if (event.delta === '') return ''
    const held = this.#held.get(event.index)
    if (held !== undefined) {
      held.text += event.delta
      return ''
    }
    this.#withArguments.add(event.index)
    const part = { arguments: event.delta }
    return this.#meta.legacyFunctions
      ? this.delta({ function_call: part }, event.choice)
      : this.delta(
          { tool_calls: [{ index: this.#places.get(event.index) ?? 0, function: part }] },
          event.choice,
        )
  }

  /** A call without arguments streams none, but its arguments must be an object. */
  toolEnd(event: EventOf<'tool_end'>): string {
    const held = this.#held.get(event.index)
    if (held !== undefined) {
      this.#held.delete(event.index)
      const index = this.#places.get(event.index) ?? 0
      const custom = { input: freeformInput(held.text) }
      return this.delta({ tool_calls: [{ index, custom }] }, event.choice)
    }
    if (this.#withArguments.has(event.index)) return ''
    return this.toolArguments({ ...event, type: 'tool_args', delta: '{}' })
  }

  keepUsage(usage: Usage): string {
    this.#usage = usage
    return ''
  }

  finish(reason: string, choice = 0): string {
    if (this.#finished.has(choice)) return ''
    this.#finished.add(choice)
    const open = this.#endHeld(choice) + (choice === 0 ? this.#cited() : '')
    const isLegacy = reason === 'tool_calls' && this.#meta.legacyFunctions && this.#hasCalls
    return open + this.role(choice) + this.#chunk({}, choice, isLegacy ? 'function_call' : reason)
  }

  /** For upstreams whose streams do not mark the end of a call. */
  #endHeld(choice: number): string {
    let text = ''
    for (const [index, held] of this.#held) {
      if (held.choice === choice) text += this.toolEnd({ type: 'tool_end', index, choice })
    }
    return text
  }

  #chunk(
    delta: JsonObject,
    choice: number,
    reason: string | null,
    tokens?: readonly TokenLogprob[],
  ): string {
    const logprobs =
      tokens === undefined ? 'null' : JSON.stringify({ content: tokens, refusal: null })
    const finish = reason === null ? 'null' : `"${reason}"`
    return `${this.#head}${choice},"delta":${JSON.stringify(delta)},"logprobs":${logprobs},"finish_reason":${finish}${this.#tail}`
  }

  #usageChunk(): string {
    if (!this.#meta.includeUsage || this.#usage === undefined) return ''
    return usageChunk(
      {
        id: `chatcmpl-${this.#meta.requestId}`,
        created: this.#meta.createdSeconds,
        model: this.#meta.requestedModel,
      },
      this.#usage,
    )
  }
}

export function usageChunk(
  head: { id: string; created: number; model: string },
  usage: Usage,
): string {
  return dataEvent({
    id: head.id,
    object: 'chat.completion.chunk',
    created: head.created,
    model: head.model,
    choices: [],
    usage: writeUsage(usage),
  })
}
