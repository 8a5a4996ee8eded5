// Compares the gateway's answer with a fixture's `clientExpect`.
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '#core'
import {
  type ChatStream,
  type StreamEvent,
  parseEventStream,
  readChatStream,
} from './answer-stream.ts'
import type { ClientAnswer } from './client-call.ts'
import type { ClientCall, ClientExpectation } from './fixture.ts'
import { describeMismatches, matchSubset, resolvePointer, show } from './match.ts'
import { lowerCaseKeys } from './upstream-call.ts'

export function answerFaults(
  answer: ClientAnswer,
  expected: ClientExpectation,
  call: ClientCall,
): string[] {
  const body = answer.body.toString('utf8')
  const status =
    answer.status === expected.status
      ? []
      : [`status: expected ${expected.status}, got ${answer.status} with ${show(body)}`]
  // With the wrong status the rest would only repeat that.
  if (status.length > 0) return status
  return [
    ...describeMismatches(matchSubset(answer.headers, lowerCaseKeys(expected.headers ?? {}))).map(
      (text) => `header ${text}`,
    ),
    ...(answer.isCut && expected.streamError === undefined && expected.done !== false
      ? ['the connection broke before the end of the answer']
      : []),
    ...bodyFaults(answer, body, expected, call),
  ]
}

function bodyFaults(
  answer: ClientAnswer,
  body: string,
  expected: ClientExpectation,
  call: ClientCall,
): string[] {
  if (expected.events) return eventFaults(body, expected)
  if (isChatStream(expected, call)) return chatStreamFaults(body, expected)
  return [
    ...(expected.bodyTextExact === undefined || body === expected.bodyTextExact
      ? []
      : [`body: expected exactly ${show(expected.bodyTextExact)}, got ${show(body)}`]),
    ...(expected.bodyBase64 === undefined ||
    answer.body.equals(Buffer.from(expected.bodyBase64, 'base64'))
      ? []
      : [`body: ${answer.body.length} bytes differ from the expected ones`]),
    ...jsonFaults(body, expected),
  ]
}

function jsonFaults(body: string, { bodySubset, bodyAbsent }: ClientExpectation): string[] {
  if (bodySubset === undefined && bodyAbsent === undefined) return []
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return [`body is no JSON: ${show(body)}`]
  }
  return [
    ...(bodySubset === undefined ? [] : describeMismatches(matchSubset(json, bodySubset))),
    ...(bodyAbsent ?? [])
      .filter((pointer) => resolvePointer(json, pointer) !== undefined)
      .map((pointer) => `${pointer} must be absent`),
  ].map((text) => `body ${text}`)
}

const streamKeys = [
  'sse',
  'reasoning',
  'toolCalls',
  'finishReason',
  'usage',
  'streamError',
  'done',
  'chunkSubset',
] as const

/** A failed call for a stream answers plain JSON; its fixture then says nothing about a stream. */
function isChatStream(expected: ClientExpectation, call: ClientCall): boolean {
  if (streamKeys.some((key) => expected[key] !== undefined)) return true
  const asks = isObject(call.body) && call.body['stream'] === true
  return asks && expected.status === 200 && /\/chat\/completions/.test(call.path)
}

function chatStreamFaults(body: string, expected: ClientExpectation): string[] {
  const { events, problems } = parseEventStream(body)
  const demands = {
    isDoneWaived: expected.done === false,
    expectsError: expected.streamError !== undefined,
  }
  const read = readChatStream(events, demands)
  return [
    ...problems,
    ...read.problems,
    ...textFaults(read.stream, expected),
    ...toolFaults(read.stream, expected),
    ...endFaults(read.stream, expected),
    ...chunkFaults(read.stream, expected),
  ].map((text) => `stream: ${text}`)
}

function textFaults(stream: ChatStream, { sse, reasoning }: ClientExpectation): string[] {
  const content = sse?.join('')
  return [
    ...(content === undefined || content === stream.content
      ? []
      : [`expected content ${show(content)}, got ${show(stream.content)}`]),
    ...(reasoning === undefined || reasoning === stream.reasoning
      ? []
      : [`expected reasoning ${show(reasoning)}, got ${show(stream.reasoning)}`]),
  ]
}

function toolFaults(stream: ChatStream, { toolCalls }: ClientExpectation): string[] {
  if (toolCalls === undefined) return []
  if (toolCalls.length !== stream.toolCalls.length) {
    return [`expected ${toolCalls.length} tool calls, got ${show(stream.toolCalls)}`]
  }
  return toolCalls.flatMap((expected, index) => {
    const call = stream.toolCalls[index]
    if (!call) return []
    const at = `/toolCalls/${index}`
    return describeMismatches([
      ...('id' in expected ? matchSubset(call.id, expected.id, `${at}/id`) : []),
      ...matchSubset(call.name, expected.name, `${at}/name`),
      ...matchSubset(call.argumentText, { $jsonEq: expected.arguments }, `${at}/arguments`),
    ])
  })
}

function endFaults(stream: ChatStream, expected: ClientExpectation): string[] {
  const { finishReason, usage, streamError } = expected
  const faults: string[] = []
  const hasOneReason = isDeepStrictEqual(stream.finishReasons, [finishReason])
  if (finishReason !== undefined && streamError === undefined && !hasOneReason) {
    faults.push(
      `expected finish_reason ${show(finishReason)} once, got ${show(stream.finishReasons)}`,
    )
  }
  if (usage === null && stream.usages.length > 0) {
    faults.push(`no chunk may carry usage, got ${show(stream.usages[0])}`)
  }
  if (usage) {
    if (stream.usages.length !== 1)
      faults.push(`${stream.usages.length} chunks carry usage, not one`)
    faults.push(...describeMismatches(matchSubset(stream.usages.at(-1), usage, '/usage')))
  }
  if (streamError) {
    faults.push(...describeMismatches(matchSubset(stream.errors[0], streamError, '/error')))
  }
  return faults
}

function chunkFaults(stream: ChatStream, { chunkSubset = [] }: ClientExpectation): string[] {
  return chunkSubset
    .filter((subset) => !stream.chunks.some((chunk) => matchSubset(chunk, subset).length === 0))
    .map((subset) => `no chunk matches ${show(subset)}`)
}

/** Ordered events of any other dialect; extra ones between are fine unless `eventsExact`. */
function eventFaults(
  body: string,
  { events: expected = [], eventsExact }: ClientExpectation,
): string[] {
  const { events, problems } = parseEventStream(body)
  const faults = [...problems]
  if (eventsExact && events.length !== expected.length) {
    faults.push(`expected exactly ${expected.length} events, got ${events.length}: ${show(events)}`)
  }
  let from = 0
  for (const [index, wanted] of expected.entries()) {
    const found = eventsExact
      ? eventMatches(events[index], wanted)
        ? index
        : -1
      : events.findIndex((event, place) => place >= from && eventMatches(event, wanted))
    if (found < 0) {
      faults.push(
        `event ${index} is missing: ${show(wanted)}; from there on came ${show(events.slice(from))}`,
      )
      break
    }
    from = found + 1
  }
  return faults.map((text) => `stream: ${text}`)
}

function eventMatches(
  actual: StreamEvent | undefined,
  wanted: { event?: string; data: unknown },
): boolean {
  if (!actual || (wanted.event !== undefined && wanted.event !== actual.event)) return false
  if (typeof wanted.data === 'string') return actual.data === wanted.data
  try {
    return matchSubset(JSON.parse(actual.data), wanted.data).length === 0
  } catch {
    return false
  }
}
