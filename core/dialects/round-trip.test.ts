// Property tests: a conversation in the neutral form comes back from every dialect but for what the dialect cannot say, and so does an answer.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChatDialect } from '../contract/dialect.ts'
import type {
  ChatEvent,
  ChatRequest,
  FinishReason,
  Part,
  Turn,
  Usage,
} from '../contract/neutral.ts'
import { aggregateAnswer } from './neutral/aggregate-answer.ts'
import { isObject, type JsonObject } from '../contract/json.ts'
import { codecs } from './index.ts'
import { SseSplitter } from '../wire/sse.ts'
import { mergeTurns } from './neutral/turns.ts'
import { usageOf } from './neutral/usage.ts'
import { answerMeta } from '../../test/harness/answer-meta.ts'

const dialects = Object.keys(codecs) as ChatDialect[]

const MODELS: Record<ChatDialect, string> = {
  'openai-chat': 'gpt-4.1',
  'openai-responses': 'gpt-4.1',
  'anthropic-messages': 'claude-opus-4-5',
  gemini: 'gemini-3-pro-preview',
}

const text = fc
  .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
  .filter((value) => value.trim() !== '')
const word = fc.stringMatching(/^[a-z]{1,6}$/)
const toolName = fc.constantFrom(
  'get_weather',
  'get_time',
  'look-up',
  'a.b',
  '7up',
  'name with spaces',
)
const args = fc.dictionary(word, fc.oneof(word, fc.integer(), fc.boolean()), { maxKeys: 3 })
const textPart = text.map((value): Part => ({ kind: 'text', text: value }))
const imagePart = fc.base64String({ minLength: 4, maxLength: 12 }).map(
  (data): Part => ({
    kind: 'image',
    source: { type: 'base64', mediaType: 'image/png', data },
  }),
)
const resultText = fc.oneof(
  word,
  args.map((value) => JSON.stringify({ value })),
)

/** A question, then rounds of an answer with its calls and of their results. */
const turns = fc
  .record({
    question: fc.array(fc.oneof(textPart, imagePart), { minLength: 1, maxLength: 3 }),
    rounds: fc.array(
      fc.record({
        said: fc.array(textPart, { maxLength: 2 }),
        calls: fc.array(fc.record({ name: toolName, args, result: resultText }), { maxLength: 3 }),
        after: fc.array(fc.oneof(textPart, imagePart), { minLength: 1, maxLength: 2 }),
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ question, rounds }): Turn[] => {
    const result: Turn[] = [{ role: 'user', parts: question }]
    let count = 0
    for (const round of rounds) {
      const calls = round.calls.map((call) => ({ ...call, id: `call_${(count += 1)}` }))
      const model = calls.map(
        (call): Part => ({
          kind: 'tool_call',
          id: call.id,
          name: call.name,
          arguments: JSON.stringify(call.args),
        }),
      )
      const results = calls.map(
        (call): Part => ({
          kind: 'tool_result',
          callId: call.id,
          content: [{ kind: 'text', text: call.result }],
        }),
      )
      if (round.said.length + model.length > 0) {
        result.push({ role: 'model', parts: [...round.said, ...model] })
      }
      result.push({ role: 'user', parts: [...results, ...round.after] })
    }
    return result
  })

const tools = fc.uniqueArray(toolName, { maxLength: 3 }).map((names) =>
  names.map((name) => ({
    name,
    description: `does ${name}`,
    parameters: { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] },
  })),
)

const request = fc
  .record({
    system: fc.array(textPart, { maxLength: 2 }),
    turns,
    tools,
    choice: fc.constantFrom('auto', 'required', 'none', 'one', undefined),
    parallel: fc.option(fc.boolean(), { nil: undefined }),
    maxTokens: fc.option(fc.integer({ min: 16, max: 8000 }), { nil: undefined }),
    temperature: fc.option(fc.constantFrom(0, 0.3, 1), { nil: undefined }),
    stop: fc.option(fc.array(word, { minLength: 1, maxLength: 4 }), { nil: undefined }),
    hasSchema: fc.boolean(),
    stream: fc.boolean(),
  })
  .map((given): ChatRequest => {
    const first = given.tools[0]
    const choice = first === undefined ? undefined : given.choice
    return {
      model: 'm',
      system: given.system,
      turns: given.turns,
      tools: given.tools,
      hostedTools: [],
      stream: given.stream,
      includeUsage: true,
      ...(choice === undefined
        ? {}
        : {
            toolChoice:
              choice === 'one' ? { mode: 'one', name: first?.name ?? '' } : { mode: choice },
          }),
      ...(given.parallel === undefined ? {} : { parallelToolCalls: given.parallel }),
      ...(given.maxTokens === undefined ? {} : { maxTokens: given.maxTokens }),
      ...(given.temperature === undefined ? {} : { temperature: given.temperature }),
      ...(given.stop === undefined ? {} : { stop: given.stop }),
      ...(given.hasSchema
        ? { responseFormat: { type: 'schema', name: 'response', schema: { type: 'string' } } }
        : {}),
    }
  })

/** What must come back, in a form that does not depend on ids, on how texts are cut, or on how JSON is spelled. */
function essence(given: ChatRequest, names: ReadonlyMap<string, string>, dialect: ChatDialect) {
  const ids = new Map<string, number>()
  const name = (sent: string) => names.get(sent) ?? sent
  const partOf = (part: Part): unknown => {
    switch (part.kind) {
      case 'tool_call':
        ids.set(part.id, ids.size)
        return {
          call: ids.get(part.id),
          name: name(part.name),
          args: JSON.parse(part.arguments) as unknown,
        }
      case 'tool_result':
        return { result: ids.get(part.callId), content: part.content.map(resultOf) }
      case 'image':
        return { image: part.source }
      default:
        return part.kind === 'text' ? part.text : part.kind
    }
  }
  const choice = given.toolChoice
  const hasTools = given.tools.length > 0
  return {
    system: given.system.map(partOf).join('\n\n'),
    turns: mergeTurns(given.turns).map((turn) => ({
      role: turn.role,
      parts: joinTexts(turn.parts.map(partOf)),
    })),
    tools: given.tools.map((tool) => ({
      name: name(tool.name),
      description: tool.description,
      parameters: tool.parameters,
    })),
    choice: choice?.mode === 'one' ? name(choice.name) : (choice?.mode ?? 'auto'),
    // Losses: Gemini has no switch for parallel calls, Anthropic none where nothing may be called, Responses no stop.
    parallel:
      dialect === 'gemini' || !hasTools || choice?.mode === 'none'
        ? undefined
        : given.parallelToolCalls,
    stop: dialect === 'openai-responses' ? undefined : given.stop,
    maxTokens: given.maxTokens ?? (dialect === 'anthropic-messages' ? 8192 : undefined),
    temperature: given.temperature,
    format: given.responseFormat?.type,
    schema: given.responseFormat?.type === 'schema' ? bare(given.responseFormat.schema) : undefined,
    stream: given.stream,
  }
}

/** A root that is no object travels inside of one, and its answer is taken out again. */
function bare(schema: JsonObject): unknown {
  const inner = schema['properties']
  return isObject(inner) && 'value' in inner ? inner['value'] : schema
}

function resultOf(part: Part): unknown {
  if (part.kind !== 'text') return part
  try {
    return JSON.parse(part.text) as unknown
  } catch {
    return part.text
  }
}

function joinTexts(parts: unknown[]): unknown[] {
  const joined: unknown[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (typeof part === 'string' && typeof last === 'string')
      joined[joined.length - 1] = last + part
    else joined.push(part)
  }
  return joined
}

describe('a conversation', () => {
  it.each(dialects)('comes back from %s but for the listed losses', (dialect) => {
    fc.assert(
      fc.property(request, (given) => {
        const hints = { toolNames: new Map<string, string>() }
        const target = {
          upstreamModel: MODELS[dialect],
          dropped: [],
          hints,
          option: () => undefined as never,
        }
        const body = codecs[dialect].buildRequest(given, target)
        const wire = JSON.parse(JSON.stringify(body)) as typeof body
        const back = codecs[dialect].parseRequest(wire, { model: 'm', stream: given.stream })
        expect(essence(back, hints.toolNames, dialect)).toEqual(essence(given, new Map(), dialect))
      }),
      { numRuns: 300 },
    )
  })
})

const usage = fc
  .record({ base: fc.nat(5000), cacheRead: fc.nat(500), out: fc.nat(5000), reasoning: fc.nat(500) })
  .map(
    (counts): Usage =>
      usageOf({
        input: counts.base + counts.cacheRead + 1,
        cacheRead: counts.cacheRead,
        output: counts.out + counts.reasoning,
        reasoning: counts.reasoning,
      }),
  )

interface Block {
  kind: 'text' | 'reasoning' | 'calls'
  pieces: string[]
  calls: { name: string; args: Record<string, unknown>; cuts: number }[]
}

const block = fc.record({
  kind: fc.constantFrom('text' as const, 'reasoning' as const, 'calls' as const),
  pieces: fc.array(text, { minLength: 1, maxLength: 4 }),
  calls: fc.array(fc.record({ name: word, args, cuts: fc.nat(4) }), { minLength: 1, maxLength: 3 }),
})

/** Events of an answer; the deltas of calls that stand together are interleaved, as chat upstreams may do. */
function eventsOf(blocks: readonly Block[], reason: FinishReason, counts: Usage): ChatEvent[] {
  const events: ChatEvent[] = [{ type: 'start', id: 'x' }]
  let index = 0
  for (const { kind, pieces, calls } of blocks) {
    if (kind !== 'calls') {
      for (const delta of pieces) events.push({ type: kind, delta })
      continue
    }
    const first = index
    const queues = calls.map((call) => {
      const at = index
      index += 1
      events.push({ type: 'tool_start', index: at, id: `call_${at}`, name: call.name })
      return cutUp(JSON.stringify(call.args), call.cuts).map(
        (delta): ChatEvent => ({ type: 'tool_args', index: at, delta }),
      )
    })
    for (let round = 0; queues.some((queue) => queue.length > round); round += 1) {
      for (const queue of queues) {
        const event = queue[round]
        if (event !== undefined) events.push(event)
      }
    }
    for (let at = first; at < index; at += 1) events.push({ type: 'tool_end', index: at })
  }
  const hasCalls = index > 0
  events.push({ type: 'finish', reason: hasCalls && reason === 'stop' ? 'tool_calls' : reason })
  events.push({ type: 'usage', usage: counts })
  return events
}

function cutUp(value: string, cuts: number): string[] {
  const size = Math.max(1, Math.ceil(value.length / (cuts + 1)))
  const pieces: string[] = []
  for (let at = 0; at < value.length; at += size) pieces.push(value.slice(at, at + size))
  return pieces
}

const answer = fc
  .record({
    blocks: fc.array(block, { minLength: 1, maxLength: 4 }),
    reason: fc.constantFrom<FinishReason[]>('stop', 'length', 'filtered'),
    usage,
    cut: fc.integer({ min: 1, max: 40 }),
  })
  .map(({ blocks, reason, usage: counts, cut }) => ({
    events: eventsOf(blocks, reason, counts),
    cut,
  }))

const meta = answerMeta({ requestedModel: 'shown' })

/** Chat holds text, thoughts and calls apart, so only the order within each kind is compared. */
function sayings(events: readonly ChatEvent[], reason?: FinishReason) {
  const { choices, usage: counts } = aggregateAnswer(events)
  const parts = choices[0]?.parts ?? []
  const join = (kind: 'text' | 'reasoning') =>
    parts
      .map((part) => (part.kind === kind ? part.text : ''))
      .join('')
      .replaceAll('\n\n', '')
  return {
    text: join('text'),
    reasoning: join('reasoning'),
    calls: parts.flatMap((part) =>
      part.kind === 'tool_call'
        ? [{ id: part.id, name: part.name, args: JSON.parse(part.arguments) as unknown }]
        : [],
    ),
    finish: reason ?? choices[0]?.finish?.reason,
    usage: counts,
  }
}

function readBack(dialect: ChatDialect, wire: string, size: number): ChatEvent[] {
  const bytes = Buffer.from(wire)
  const splitter = new SseSplitter()
  const parser = codecs[dialect].streamParser()
  const events: ChatEvent[] = []
  for (let at = 0; at < bytes.length; at += size) {
    for (const event of splitter.push(bytes.subarray(at, at + size)))
      events.push(...parser.push(event))
  }
  for (const event of splitter.end()) events.push(...parser.push(event))
  events.push(...parser.end())
  expect(parser.isComplete).toBe(true)
  return events
}

describe('an answer', () => {
  it.each(dialects)('comes back from a stream of %s that is cut anywhere', (dialect) => {
    fc.assert(
      fc.property(answer, ({ events, cut }) => {
        const writer = codecs[dialect].streamWriter(meta)
        const wire = events.map((event) => writer.write(event)).join('') + writer.end()
        expect(sayings(readBack(dialect, wire, cut))).toEqual(sayings(events))
      }),
      { numRuns: 300 },
    )
  })

  it.each(dialects)('comes back from a whole answer of %s', (dialect) => {
    fc.assert(
      fc.property(answer, ({ events }) => {
        const body = codecs[dialect].writeAnswer(events, meta)
        const wire = JSON.parse(JSON.stringify(body)) as typeof body
        expect(sayings(codecs[dialect].parseAnswer(wire))).toEqual(sayings(events))
      }),
      { numRuns: 300 },
    )
  })

  it.each(dialects)('says the same in %s streamed and whole', (dialect) => {
    fc.assert(
      fc.property(answer, ({ events, cut }) => {
        const writer = codecs[dialect].streamWriter(meta)
        const wire = events.map((event) => writer.write(event)).join('') + writer.end()
        const whole = codecs[dialect].parseAnswer(codecs[dialect].writeAnswer(events, meta))
        expect(sayings(readBack(dialect, wire, cut))).toEqual(sayings(whole))
      }),
      { numRuns: 100 },
    )
  })
})
