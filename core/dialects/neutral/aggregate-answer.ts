// One whole answer from its events; the writers of all dialects start from it.
import type { ChatEvent, EventOf, FinishReason, Part, Usage } from '../../contract/neutral.ts'
import type { RawFailure } from '../../contract/errors.ts'
import type { JsonObject } from '../../contract/json.ts'
import { choiceIndex } from './choices.ts'

export type AnswerPart = Extract<
  Part,
  { kind: 'text' | 'reasoning' | 'refusal' | 'tool_call' | 'image' }
>

export interface AggregatedChoice {
  /** In the order in which they began. */
  parts: AnswerPart[]
  finish?: { reason: FinishReason; stopSequence?: string; native?: string }
}

export interface AggregatedAnswer {
  id?: string | undefined
  model?: string | undefined
  created?: number | undefined
  /** At least one. */
  choices: AggregatedChoice[]
  usage?: Usage
  citations: JsonObject[]
  /** OpenAI's `message.audio`, its deltas put together. */
  audio?: JsonObject
  blocked?: string
  failure?: RawFailure
}

interface Collection {
  answer: AggregatedAnswer
  /** Open tool calls by choice and index. */
  calls: Map<string, Extract<AnswerPart, { kind: 'tool_call' }>>
}

type Collectors = {
  [T in ChatEvent['type']]: (collection: Collection, event: EventOf<T>) => void
}

const collectors: Collectors = {
  start({ answer }, event) {
    answer.id ??= event.id
    answer.model ??= event.model
    answer.created ??= event.created
  },
  text(collection, event) {
    const part = openPart(collection, event.choice, 'text')
    part.text += event.delta
    if (event.state !== undefined) part.state = event.state
    if (event.logprobs !== undefined) part.logprobs = [...(part.logprobs ?? []), ...event.logprobs]
  },
  reasoning(collection, event) {
    openPart(collection, event.choice, 'reasoning').text += event.delta
  },
  reasoning_state(collection, event) {
    const parts = choiceOf(collection, undefined).parts
    const last = parts.at(-1)
    if (!event.redacted && last?.kind === 'reasoning' && last.state === undefined) {
      last.state = event.state
    } else {
      parts.push({
        kind: 'reasoning',
        text: '',
        state: event.state,
        ...(event.redacted ? { redacted: true } : {}),
      })
    }
  },
  refusal(collection, event) {
    openPart(collection, event.choice, 'refusal').text += event.delta
  },
  tool_start(collection, event) {
    const part: AnswerPart = {
      kind: 'tool_call',
      id: event.id,
      name: event.name,
      arguments: '',
      ...(event.freeform ? { freeform: true } : {}),
      ...(event.state === undefined ? {} : { state: event.state }),
      ...(event.namespace === undefined ? {} : { namespace: event.namespace }),
    }
    choiceOf(collection, event.choice).parts.push(part)
    collection.calls.set(`${event.choice ?? 0}:${event.index}`, part)
  },
  tool_args({ calls }, event) {
    const call = calls.get(`${event.choice ?? 0}:${event.index}`)
    if (call !== undefined) call.arguments += event.delta
  },
  tool_end() {},
  image(collection, event) {
    choiceOf(collection, undefined).parts.push({
      kind: 'image',
      source: { type: 'base64', mediaType: event.mediaType, data: event.data },
      ...(event.state === undefined ? {} : { state: event.state }),
    })
  },
  audio({ answer }, event) {
    answer.audio = joinAudio(answer.audio, event.delta)
  },
  citation({ answer }, event) {
    answer.citations.push(event.citation)
  },
  usage({ answer }, event) {
    answer.usage = event.usage
  },
  finish(collection, event) {
    const choice = choiceOf(collection, event.choice)
    choice.finish = {
      reason: event.reason,
      ...(event.stopSequence === undefined ? {} : { stopSequence: event.stopSequence }),
      ...(event.native === undefined ? {} : { native: event.native }),
    }
  },
  blocked({ answer }, event) {
    answer.blocked = event.reason
  },
  error({ answer }, event) {
    answer.failure = event.failure
  },
}

export function aggregateAnswer(events: readonly ChatEvent[]): AggregatedAnswer {
  const answer: AggregatedAnswer = { choices: [{ parts: [] }], citations: [] }
  const collection: Collection = { answer, calls: new Map() }
  for (const event of events) {
    const collect = collectors[event.type] as (collection: Collection, event: ChatEvent) => void
    collect(collection, event)
  }
  for (const call of collection.calls.values()) {
    // The events of a call without arguments contain none.
    if (call.arguments.trim() === '') call.arguments = '{}'
  }
  return answer
}

function choiceOf({ answer }: Collection, choice?: number): AggregatedChoice {
  const at = choiceIndex(choice)
  while (answer.choices.length <= at) answer.choices.push({ parts: [] })
  return answer.choices[at] ?? { parts: [] }
}

type TextPart = Extract<AnswerPart, { kind: 'text' | 'reasoning' | 'refusal' }>

function openPart<K extends TextPart['kind']>(
  collection: Collection,
  choice: number | undefined,
  kind: K,
): Extract<TextPart, { kind: K }> {
  const { parts } = choiceOf(collection, choice)
  const last = parts.at(-1)
  const isSealed = last !== undefined && 'state' in last && last.state !== undefined
  if (last?.kind === kind && !isSealed) return last as Extract<TextPart, { kind: K }>
  const part = { kind, text: '' } as Extract<TextPart, { kind: K }>
  parts.push(part)
  return part
}

function joinAudio(known: JsonObject | undefined, delta: JsonObject): JsonObject {
  const joined: JsonObject = { ...known }
  for (const [key, value] of Object.entries(delta)) {
    const before = joined[key]
    const isText = key === 'data' || key === 'transcript'
    joined[key] = isText && typeof before === 'string' ? `${before}${String(value)}` : value
  }
  return joined
}
