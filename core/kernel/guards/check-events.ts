// What an adapter from outside gives for an answer, held to the contract: code without types may give anything.
import type { FailureClass } from '../../contract/errors.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import type { ChatEvent, FinishReason, Usage } from '../../contract/neutral.ts'
import { isFigure } from '../check-values.ts'

type Rule = (value: unknown) => boolean

const isText: Rule = (value) => typeof value === 'string'
const isCount: Rule = (value) => Number.isSafeInteger(value) && (value as number) >= 0
const optional =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined || rule(value)

const reasons: Readonly<Record<FinishReason, true>> = {
  stop: true,
  stop_sequence: true,
  length: true,
  tool_calls: true,
  filtered: true,
  paused: true,
  bad_call: true,
  other: true,
}
const isReason: Rule = (value) => typeof value === 'string' && Object.hasOwn(reasons, value)

const isState: Rule = (value) =>
  isObject(value) && typeof value['owner'] === 'string' && typeof value['data'] === 'string'

const events: Readonly<Record<ChatEvent['type'], Readonly<Record<string, Rule>>>> = {
  start: { id: optional(isText), model: optional(isText), created: optional(isFigure) },
  text: { delta: isText, choice: optional(isCount), logprobs: optional(Array.isArray) },
  reasoning: { delta: isText, choice: optional(isCount) },
  reasoning_state: { state: isState },
  refusal: { delta: isText, choice: optional(isCount) },
  tool_start: { index: isCount, id: isText, name: isText, choice: optional(isCount) },
  tool_args: { index: isCount, delta: isText, choice: optional(isCount) },
  tool_end: { index: isCount, choice: optional(isCount) },
  image: { mediaType: isText, data: isText },
  audio: { delta: isJson },
  citation: { citation: isJson },
  // Judged by isUsage: an unsound one costs no answer.
  usage: {},
  finish: { reason: isReason, choice: optional(isCount), stopSequence: optional(isText) },
  blocked: { reason: isText },
  error: { failure: isFailure },
}

function isJson(value: unknown): boolean {
  if (!isObject(value)) return false
  try {
    JSON.stringify(value)
    return true
  } catch {
    return false
  }
}

/** @throws TypeError that names the event */
export function checkEvents(given: unknown, part: string): asserts given is ChatEvent[] {
  if (!Array.isArray(given)) throw new TypeError(`${part} gave no list of events`)
  for (const event of given as unknown[]) checkEvent(event, part)
}

function checkEvent(event: unknown, part: string): void {
  const type = isObject(event) ? event['type'] : undefined
  if (typeof type !== 'string' || !Object.hasOwn(events, type))
    throw new TypeError(`${part} gave an event that the contract does not know`)
  const rules = Object.entries(events[type as ChatEvent['type']])
  const wrong = rules.find(([key, rule]) => !rule((event as JsonObject)[key]))
  if (wrong) throw new TypeError(`${part} gave an event "${type}" without a sound "${wrong[0]}"`)
}

const counts: readonly (keyof Usage)[] = [
  'input',
  'cacheRead',
  'cacheWrite5m',
  'cacheWrite1h',
  'inputAudio',
  'inputImage',
  'output',
  'reasoning',
  'outputAudio',
  'outputImage',
]
const partly: Rule = (value) =>
  isObject(value) && counts.every((count) => optional(isFigure)(value[count]))
const isTools: Rule = (value) => isObject(value) && Object.values(value).every(isFigure)
const isSvg: Rule = (value) =>
  isObject(value) && isText(value['model']) && isFigure(value['input']) && isFigure(value['output'])
const isDelegated: Rule = (value) =>
  Array.isArray(value) &&
  value.every(
    (one) =>
      isObject(one) && isText(one['model']) && isFigure(one['calls']) && isUsage(one['usage']),
  )

/** Whether all counts are there that every usage has; `isPart`: those that are there are sound. */
export function isUsage(usage: unknown, isPart = false): boolean {
  if (!partly(usage)) return false
  const { cacheWrite12h, longestPrompt, toolCalls, drawn, svg, delegated, ...rest } =
    usage as JsonObject
  return (
    (isPart || counts.every((count) => rest[count] !== undefined)) &&
    [cacheWrite12h, longestPrompt].every(optional(isFigure)) &&
    optional(isTools)(toolCalls) &&
    optional((value) => isUsage(value))(drawn) &&
    optional(isSvg)(svg) &&
    optional(isDelegated)(delegated)
  )
}

const classes: Readonly<Record<FailureClass, true>> = {
  'invalid-credentials': true,
  'insufficient-funds': true,
  denied: true,
  'not-found': true,
  throttled: true,
  'bad-request': true,
  content: true,
  upstream: true,
  timeout: true,
}

export function isFailureClass(value: unknown): boolean {
  return typeof value === 'string' && Object.hasOwn(classes, value)
}

export function isFailure(value: unknown): boolean {
  if (!isObject(value)) return false
  const { status, message, code, type, bodyStatus, param, retryAfterSeconds, details } = value
  return (
    Number.isInteger(status) &&
    isText(message) &&
    (code === null || optional(isText)(code) || Number.isFinite(code)) &&
    optional(isText)(type) &&
    optional(Number.isInteger)(bodyStatus) &&
    (param === null || optional(isText)(param)) &&
    optional(isFigure)(retryAfterSeconds) &&
    optional(isJson)(details)
  )
}
