// Passes an answer through to a client of the same dialect. What needs no repair goes on byte for byte; the repairs are
// those that compatible servers were seen to need.
import type { AnswerMeta, PassFilter, SseEvent } from '../../contract/dialect.ts'
import type { Usage } from '../../contract/neutral.ts'
import { isObject, textIn, type JsonObject } from '../../contract/json.ts'
import { dataEvent, parsedEvent } from '../neutral/parsed-event.ts'
import { passFilterOf } from '../neutral/pass-filter.ts'
import { CallIndexes } from './call-indexes.ts'
import { EmptyArguments, filledCalls } from './empty-arguments.ts'
import { officialFinishReason } from './finish-reason.ts'
import { findUsage, tellsTokens, writeUsage } from './usage.ts'
import { usageChunk } from './write-stream.ts'

interface PassState {
  readonly meta: AnswerMeta
  id: string | undefined
  created: number | undefined
  model: string | undefined
  /** The upstream's newest usage object, as it was sent. */
  upstreamUsage: JsonObject | undefined
  hasPassedUsage: boolean
  readonly begun: Set<number>
  readonly finished: Set<number>
  readonly calls: Map<number, CallIndexes>
  readonly namedCalls: Set<string>
  readonly bareCalls: EmptyArguments
}

export function passFilter(meta: AnswerMeta): PassFilter {
  const state: PassState = {
    meta,
    id: undefined,
    created: undefined,
    model: undefined,
    upstreamUsage: undefined,
    hasPassedUsage: false,
    begun: new Set(),
    finished: new Set(),
    calls: new Map(),
    namedCalls: new Set(),
    bareCalls: new EmptyArguments(),
  }
  return passFilterOf(
    (event) => passEvent(event, state),
    (counted) => passEnd(state, counted),
  )
}

function passEvent(event: SseEvent, state: PassState): string | undefined {
  // Comments also keep the client's connection alive.
  if (event.data === '') return event.raw
  if (event.data === '[DONE]' || event.data === '[done]') return undefined
  const chunk = parsedEvent(event)
  keepUsage(chunk, state)
  if (isUsageChunk(chunk)) return passUsageChunk(event, chunk, state)
  const repaired = repairChunk(chunk, state)
  return repaired === chunk ? event.raw : dataEvent(repaired)
}

function keepUsage(chunk: JsonObject, state: PassState): void {
  const usage = findUsage(chunk)
  if (tellsTokens(usage)) state.upstreamUsage = usage
}

function isUsageChunk(chunk: JsonObject): boolean {
  const isEmpty =
    chunk.choices === null || (Array.isArray(chunk.choices) && chunk.choices.length === 0)
  return isEmpty && isObject(chunk.usage)
}

/** Usage is withheld from clients that did not ask for it, and until the end if the server sends it in every chunk. */
function passUsageChunk(event: SseEvent, chunk: JsonObject, state: PassState): string | undefined {
  if (!state.meta.includeUsage || state.finished.size === 0) return undefined
  if (state.hasPassedUsage || !tellsTokens(chunk.usage)) return undefined
  state.hasPassedUsage = true
  const repaired = repairHead(chunk, state)
  return repaired === chunk ? event.raw : dataEvent(repaired)
}

function passEnd(state: PassState, counted: Usage | undefined): string {
  const done = 'data: [DONE]\n\n'
  if (!state.meta.includeUsage || state.hasPassedUsage) return done
  const head = {
    id: state.id ?? `chatcmpl-${state.meta.requestId}`,
    created: state.created ?? state.meta.createdSeconds,
    model: state.model ?? state.meta.requestedModel,
  }
  if (state.upstreamUsage !== undefined) {
    const usage = state.upstreamUsage
    return `${dataEvent({ ...head, object: 'chat.completion.chunk', choices: [], usage })}${done}`
  }
  return counted === undefined ? done : usageChunk(head, counted) + done
}

function repairChunk(chunk: JsonObject, state: PassState): JsonObject {
  let repaired = repairHead(chunk, state)
  if (isObject(chunk.usage)) {
    repaired = { ...repaired, usage: state.meta.includeUsage ? null : undefined }
  }
  const { choices } = chunk
  if (choices === null) return { ...repaired, choices: [] }
  if (!Array.isArray(choices)) return repaired
  let isChanged = false
  const repairedChoices = (choices as unknown[]).map((choice) => {
    const result = isObject(choice) ? repairChoice(choice, state) : choice
    if (result !== choice) isChanged = true
    return result
  })
  return isChanged ? { ...repaired, choices: repairedChoices } : repaired
}

/** Repairs `object`, `created`, and the id, which must be the same in all chunks. */
function repairHead(chunk: JsonObject, state: PassState): JsonObject {
  // Chunks without choices, such as those of Azure's prompt filter, have no id of their own.
  if (!Array.isArray(chunk.choices) || chunk.choices.length === 0) return chunk
  state.id ??= textIn(chunk.id) ?? `chatcmpl-${state.meta.requestId}`
  state.created ??= typeof chunk.created === 'number' ? chunk.created : state.meta.createdSeconds
  state.model ??= textIn(chunk.model)
  const isRight =
    chunk.object === 'chat.completion.chunk' &&
    chunk.id === state.id &&
    typeof chunk.created === 'number'
  if (isRight) return chunk
  return {
    ...chunk,
    id: state.id,
    object: 'chat.completion.chunk',
    created: typeof chunk.created === 'number' ? chunk.created : state.created,
  }
}

function repairChoice(choice: JsonObject, state: PassState): JsonObject {
  const index = typeof choice.index === 'number' ? choice.index : 0
  const edits: JsonObject = {}
  if (choice.index !== index) edits.index = index
  if (choice.usage !== undefined) edits.usage = undefined
  const reason = repairedReason(choice, index, state)
  if (reason !== choice.finish_reason) edits.finish_reason = reason
  const repaired = isObject(choice.delta)
    ? repairDelta(choice.delta, index, state)
    : repairRole(isObject(choice.message) ? choice.message : {}, index, state)
  const delta = isEnd(reason) ? state.bareCalls.close(index, repaired) : repaired
  if (delta !== choice.delta) edits.delta = delta
  if (!isObject(choice.delta)) edits.message = undefined
  return Object.keys(edits).length === 0 ? choice : { ...choice, ...edits }
}

/** Whether the calls are whole: those of a cut answer may lack what was to come. */
function isEnd(reason: unknown): boolean {
  return typeof reason === 'string' && reason !== 'length'
}

/** The finish reason as an official word, sent only once. */
function repairedReason(choice: JsonObject, index: number, state: PassState): unknown {
  const reason = choice.finish_reason
  if (typeof reason !== 'string') return reason
  if (reason === '' || state.finished.has(index)) return null
  state.finished.add(index)
  return officialFinishReason(reason)
}

function repairDelta(delta: JsonObject, choice: number, state: PassState): JsonObject {
  let repaired = repairRole(delta, choice, state)
  if (typeof delta.reasoning === 'string' && delta.reasoning_content === undefined) {
    repaired = { ...repaired, reasoning_content: delta.reasoning }
  }
  if (!Array.isArray(delta.tool_calls)) return repaired
  let isChanged = false
  const calls = (delta.tool_calls as unknown[]).map((call) => {
    const result = isObject(call) ? repairCall(call, choice, state) : call
    if (result !== call) isChanged = true
    return result
  })
  return isChanged ? { ...repaired, tool_calls: calls } : repaired
}

/** OpenAI's SDK refuses an answer whose role it was not told ("missing role for choice 0"), Vercel's an empty one. */
function repairRole(delta: JsonObject, choice: number, { begun }: PassState): JsonObject {
  const isFirst = !begun.has(choice)
  begun.add(choice)
  if (isFirst) return textIn(delta.role) === undefined ? { ...delta, role: 'assistant' } : delta
  if (delta.role !== '') return delta
  const { role: _role, ...rest } = delta
  return rest
}

/** Every delta of a call needs its index. Id, type and name may only be in the first one, because clients append what
 *  is repeated. */
function repairCall(call: JsonObject, choice: number, state: PassState): JsonObject {
  let indexes = state.calls.get(choice)
  if (indexes === undefined) state.calls.set(choice, (indexes = new CallIndexes()))
  const index = indexes.indexOf(call)
  const key = `${choice}:${index}`
  const isFirst = !state.namedCalls.has(key)
  state.namedCalls.add(key)
  state.bareCalls.see(choice, index, call, isFirst)
  const target = isObject(call.function) ? call.function : undefined
  if (isFirst) {
    const isRight = call.index === index && typeof call.type === 'string'
    return isRight ? call : { ...call, index, type: call.type ?? 'function' }
  }
  const repeats = call.id !== undefined || call.type !== undefined || target?.name !== undefined
  if (call.index === index && !repeats) return call
  const { id: _id, type: _type, ...rest } = call
  const { name: _name, ...part } = target ?? {}
  return { ...rest, index, ...(target === undefined ? {} : { function: part }) }
}

export function passAnswer(body: JsonObject, meta: AnswerMeta, counted?: Usage): JsonObject {
  const edits: JsonObject = {}
  if (body.object !== 'chat.completion') edits.object = 'chat.completion'
  if (textIn(body.id) === undefined) edits.id = `chatcmpl-${meta.requestId}`
  if (typeof body.created !== 'number') edits.created = meta.createdSeconds
  const usage = findUsage(body)
  if (!tellsTokens(usage)) {
    if (counted !== undefined) edits.usage = writeUsage(counted)
  } else if (usage !== body.usage) edits.usage = usage
  const choices = Array.isArray(body.choices) ? (body.choices as unknown[]) : []
  const repaired = choices.map((choice) => (isObject(choice) ? repairWholeChoice(choice) : choice))
  if (repaired.some((choice, index) => choice !== choices[index])) edits.choices = repaired
  return Object.keys(edits).length === 0 ? body : { ...body, ...edits }
}

function repairWholeChoice(choice: JsonObject): JsonObject {
  const edits: JsonObject = {}
  const reason = choice.finish_reason
  if (typeof reason === 'string' && officialFinishReason(reason) !== reason) {
    edits.finish_reason = officialFinishReason(reason)
  }
  if (choice.usage !== undefined) edits.usage = undefined
  const message = isObject(choice.message)
    ? repairMessage(choice.message, isEnd(reason))
    : choice.message
  if (message !== choice.message) edits.message = message
  return Object.keys(edits).length === 0 ? choice : { ...choice, ...edits }
}

function repairMessage(message: JsonObject, isWhole: boolean): JsonObject {
  const edits: JsonObject = {}
  if (typeof message.reasoning === 'string' && message.reasoning_content === undefined) {
    edits.reasoning_content = message.reasoning
  }
  if (isWhole && Array.isArray(message.tool_calls)) {
    const calls = filledCalls(message.tool_calls)
    if (calls !== message.tool_calls) edits.tool_calls = calls
  }
  return Object.keys(edits).length === 0 ? message : { ...message, ...edits }
}
