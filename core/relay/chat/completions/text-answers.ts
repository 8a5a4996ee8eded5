// Answers of upstreams that offer the legacy text form themselves: read for their usage, passed on unchanged.
import type { AnswerMeta, PassFilter, SseEvent, StreamParser } from '../../../contract/dialect.ts'
import type { ChatEvent, Usage } from '../../../contract/neutral.ts'
import { UpstreamError } from '../../../contract/errors.ts'
import { isObject, type JsonObject } from '../../../contract/json.ts'
import {
  findFailureInSuccess,
  unknownFailure,
} from '../../../upstream-failures/read-failure-body.ts'
import { choiceIndex } from '../../../dialects/neutral/choices.ts'
import { readFinishReason } from '../../../dialects/openai-chat/finish-reason.ts'
import { findUsage, readUsage, writeUsage } from '../../../dialects/openai-chat/usage.ts'
import { dataEvent, NO_EVENTS, parsedEvent } from '../../../dialects/neutral/parsed-event.ts'
import { passFilterOf } from '../../../dialects/neutral/pass-filter.ts'

export class TextStreamParser implements StreamParser {
  #isStarted = false
  #isDone = false
  readonly #choices = new Set<number>()
  readonly #finished = new Set<number>()

  get isComplete(): boolean {
    return this.#isDone || (this.#finished.size > 0 && this.#finished.size >= this.#choices.size)
  }

  push(event: SseEvent): ChatEvent[] {
    if (event.data === '') return NO_EVENTS
    if (event.data === '[DONE]') {
      this.#isDone = true
      return NO_EVENTS
    }
    return this.read(parsedEvent(event))
  }

  end(): ChatEvent[] {
    this.#isDone ||= this.#finished.size > 0
    return []
  }

  read(chunk: JsonObject): ChatEvent[] {
    const failure = findFailureInSuccess(chunk)
    if (chunk.error || failure) return [{ type: 'error', failure: failure ?? unknownFailure(200) }]
    const events: ChatEvent[] = []
    if (!this.#isStarted) {
      this.#isStarted = true
      events.push({ type: 'start' })
    }
    const choices = Array.isArray(chunk.choices) ? (chunk.choices as unknown[]) : []
    for (const choice of choices) if (isObject(choice)) this.#readChoice(choice, events)
    const usage = readUsage(findUsage(chunk))
    if (usage) events.push({ type: 'usage', usage })
    return events
  }

  #readChoice(choice: JsonObject, events: ChatEvent[]): void {
    const index = choiceIndex(choice.index)
    const at = index === 0 ? undefined : index
    this.#choices.add(index)
    if (typeof choice.text === 'string' && choice.text !== '')
      events.push({ type: 'text', delta: choice.text, choice: at })
    const native = choice.finish_reason
    if (typeof native !== 'string' || native === '' || this.#finished.has(index)) return
    this.#finished.add(index)
    events.push({ type: 'finish', reason: readFinishReason(native), native, choice: at })
  }
}

/** @throws UpstreamError for an error inside a 200 */
export function readTextAnswer(body: JsonObject): ChatEvent[] {
  const events = new TextStreamParser().read(body)
  const [first] = events
  if (first?.type === 'error') throw new UpstreamError(first.failure)
  // An answer may lack a finish reason, but not its choices.
  const hasFinish = events.some((event) => event.type === 'finish')
  if (!hasFinish && Array.isArray(body.choices) && body.choices.length > 0)
    events.push({ type: 'finish', reason: 'stop' })
  return events
}

/** Removes usage that the gateway asked for and the client did not. */
export function textPassFilter({ includeUsage }: AnswerMeta): PassFilter {
  let head: JsonObject | undefined
  let hasPassedUsage = false
  const pass = (event: SseEvent): string | undefined => {
    if (event.data === '') return event.raw
    if (event.data === '[DONE]') return undefined
    const chunk = parsedEvent(event)
    head ??= chunk
    const { usage, ...rest } = chunk
    const isEmpty = Array.isArray(chunk.choices) && chunk.choices.length === 0
    if (includeUsage) {
      hasPassedUsage ||= isObject(usage)
      return event.raw
    }
    if (isEmpty && isObject(usage)) return undefined
    return usage === undefined || usage === null ? event.raw : dataEvent(rest)
  }
  const end = (counted?: Usage) => {
    const done = 'data: [DONE]\n\n'
    if (!includeUsage || hasPassedUsage || !counted) return done
    return dataEvent({ ...head, choices: [], usage: writeUsage(counted) }) + done
  }
  return passFilterOf(pass, end)
}

export function passTextAnswer(body: JsonObject, _meta: AnswerMeta, counted?: Usage): JsonObject {
  if (!counted || readUsage(findUsage(body))) return body
  return { ...body, usage: writeUsage(counted) }
}
