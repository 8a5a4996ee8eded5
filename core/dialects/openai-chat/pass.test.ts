import { describe, expect, it } from 'vitest'
import type { AnswerMeta } from '../../contract/dialect.ts'
import type { JsonObject } from '../../contract/json.ts'
import { SseSplitter } from '../../wire/sse.ts'
import { usageOf } from '../neutral/usage.ts'
import { openaiChat } from './index.ts'
import { answerMeta } from '../../../test/harness/answer-meta.ts'

const meta = answerMeta({ createdSeconds: 5 })

function pass(
  wire: string,
  options: Partial<AnswerMeta> = {},
  counted = usageOf({ input: 1, output: 1 }),
) {
  const splitter = new SseSplitter()
  const parser = openaiChat.streamParser()
  const filter = openaiChat.passFilter({ ...meta, ...options })
  let passed = ''
  for (const event of [...splitter.push(Buffer.from(wire)), ...splitter.end()]) {
    passed += filter(event, parser.push(event)) ?? ''
  }
  parser.end()
  return passed + filter.end(counted)
}

const chunk = (choice: JsonObject, more: JsonObject = {}) =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: {}, finish_reason: null, ...choice }], ...more })}\n\n`
const usageEvent = (usage: JsonObject) =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage })}\n\n`
const done = 'data: [DONE]\n\n'
const counts = { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 }
const dataOf = (wire: string): JsonObject[] =>
  wire
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)) as JsonObject)
const choicesOf = (wire: string) => dataOf(wire).flatMap((data) => data.choices as JsonObject[])

describe('passing a chat stream through', () => {
  const plain =
    chunk({ delta: { role: 'assistant', content: 'é' } }) + chunk({ finish_reason: 'stop' })

  it('changes nothing that is right', () => {
    const wire = `: ping\n\n${plain}${usageEvent(counts)}${done}`
    expect(pass(wire)).toBe(wire)
  })

  it('adds a missing end mark', () => {
    expect(pass(plain + usageEvent(counts))).toBe(plain + usageEvent(counts) + done)
  })

  it('withholds the usage from a client that did not ask', () => {
    expect(pass(plain + usageEvent(counts) + done, { includeUsage: false })).toBe(plain + done)
  })

  it('takes usage off every other chunk and tells the last one once', () => {
    const wire =
      chunk({ delta: { content: 'a' } }, { usage: { prompt_tokens: 4, completion_tokens: 1 } }) +
      chunk({ finish_reason: 'stop' }, { usage: counts }) +
      done
    const passed = dataOf(pass(wire))
    expect(passed.map((data) => data.usage)).toEqual([null, null, counts])
    const withoutUsage = dataOf(pass(wire, { includeUsage: false }))
    expect(withoutUsage.length).toBeGreaterThan(1)
    expect(withoutUsage.every((data) => !data.usage)).toBe(true)
  })

  it.each([
    ['x_groq', chunk({ finish_reason: 'stop' }, { x_groq: { id: 'r', usage: counts } })],
    ['the choice', chunk({ finish_reason: 'stop', usage: counts })],
  ])('finds usage in %s', (_place, wire) => {
    expect(dataOf(pass(wire + done)).at(-1)?.usage).toEqual(counts)
  })

  it('writes our own count where the upstream tells none', () => {
    expect(dataOf(pass(plain + done)).at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    })
  })

  it('gives all chunks one id, an object and a time', () => {
    const wire =
      'data: {"id":"","choices":[{"index":0,"delta":{"content":"a"}}]}\n\ndata: {"id":"b","object":"x","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
    for (const data of dataOf(pass(wire))) {
      expect(data).toMatchObject({ id: 'chatcmpl-r1', object: 'chat.completion.chunk', created: 5 })
    }
  })

  it.each([
    ['eos', 'stop'],
    ['max_tokens', 'length'],
    ['tool_use', 'tool_calls'],
    ['function_call', 'function_call'],
    ['strange', 'stop'],
  ])('turns the reason %s into %s and tells it once', (native, shown) => {
    const wire = chunk({ finish_reason: native }) + chunk({ finish_reason: native })
    const reasons = choicesOf(pass(wire)).map((choice) => choice.finish_reason)
    expect(reasons).toEqual([shown, null])
  })

  it('shows reasoning under its usual name as well', () => {
    const [choice] = choicesOf(pass(chunk({ delta: { reasoning: 'hm' } })))
    expect(choice?.delta).toMatchObject({ reasoning: 'hm', reasoning_content: 'hm' })
  })

  it('bears null deltas and null choices', () => {
    const wire = `${chunk({ delta: null })}data: {"id":"c1","choices":null}\n\n${chunk({ finish_reason: 'stop' })}`
    expect(choicesOf(pass(wire)).map((choice) => choice.delta)).toEqual([{ role: 'assistant' }, {}])
  })

  it('gives tool calls an index and names them once', () => {
    const call = (more: JsonObject) => chunk({ delta: { tool_calls: [more] } })
    const wire =
      call({ id: 'a', function: { name: 'f', arguments: '' } }) +
      call({ id: 'a', type: 'function', function: { name: '', arguments: '{}' } }) +
      call({ id: 'b', function: { name: 'g', arguments: '{' } }) +
      call({ function: { arguments: '}' } })
    const calls = choicesOf(pass(wire)).map(
      (choice) => ((choice.delta as JsonObject).tool_calls as JsonObject[])[0],
    )
    expect(calls).toEqual([
      { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } },
      { index: 0, function: { arguments: '{}' } },
      { index: 1, id: 'b', type: 'function', function: { name: 'g', arguments: '{' } },
      { index: 1, function: { arguments: '}' } },
    ])
  })

  it('gives the first delta of each choice its role, and takes an empty one away', () => {
    const wire =
      chunk({ delta: { content: 'a' } }) +
      chunk({ delta: { role: '', content: 'b' } }) +
      chunk({ index: 1, delta: { role: null, content: 'c' } }) +
      chunk({ delta: { role: 'assistant', content: 'd' } })
    expect(choicesOf(pass(wire)).map(({ delta }) => delta)).toEqual([
      { role: 'assistant', content: 'a' },
      { content: 'b' },
      { role: 'assistant', content: 'c' },
      { role: 'assistant', content: 'd' },
    ])
  })

  it('tells calls apart that a server sends whole under one index', () => {
    const call = (id: string, name: string, args: string) =>
      chunk({
        delta: {
          tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: args } }],
        },
      })
    const wire = call('a', 'f', '{"x":1}') + call('b', 'f', '{"x":2}') + call('c', 'g', '{}')
    const calls = choicesOf(pass(wire)).map(
      (choice) => ((choice.delta as JsonObject).tool_calls as JsonObject[])[0],
    )
    expect(calls).toEqual([
      { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } },
      { index: 1, id: 'b', type: 'function', function: { name: 'f', arguments: '{"x":2}' } },
      { index: 2, id: 'c', type: 'function', function: { name: 'g', arguments: '{}' } },
    ])
  })

  it('keeps the pieces of a call together whose server makes up a new id for each', () => {
    const call = (id: string, args: string) =>
      chunk({ delta: { tool_calls: [{ index: 0, id, function: { name: 'f', arguments: args } }] } })
    const calls = choicesOf(pass(call('a', '{') + call('b', '"x":{}') + call('c', '}'))).map(
      (choice) => ((choice.delta as JsonObject).tool_calls as JsonObject[])[0],
    )
    expect(calls).toEqual([
      { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{' } },
      { index: 0, function: { arguments: '"x":{}' } },
      { index: 0, function: { arguments: '}' } },
    ])
  })

  it('ends a call without arguments with an empty object', () => {
    const call = (index: number, args: string) => ({
      index,
      id: `c${index}`,
      type: 'function',
      function: { name: 'f', arguments: args },
    })
    const wire =
      chunk({ delta: { role: 'assistant', tool_calls: [call(0, '')] } }) +
      chunk({ delta: { tool_calls: [call(1, '{"x":1}')] } }) +
      chunk({ delta: { tool_calls: [call(2, '')] }, finish_reason: 'tool_calls' })
    const deltas = choicesOf(pass(wire)).map(({ delta }) => (delta as JsonObject).tool_calls)
    expect(deltas).toEqual([
      [call(0, '')],
      [call(1, '{"x":1}')],
      [call(2, '{}'), { index: 0, function: { arguments: '{}' } }],
    ])
    const cut = chunk({ delta: { tool_calls: [call(0, '')] }, finish_reason: 'length' })
    expect(choicesOf(pass(cut))).toMatchObject([{ delta: { tool_calls: [call(0, '')] } }])
  })

  it('leaves the filter chunk of Azure as it is', () => {
    const filterChunk =
      'data: {"id":"","object":"","created":0,"model":"","choices":[],"prompt_filter_results":[]}\n\n'
    const wire = filterChunk + plain + usageEvent(counts) + done
    expect(pass(wire)).toBe(wire)
  })
})

describe('passing a whole chat answer through', () => {
  it('mends what is wrong and keeps what nobody knows', () => {
    const body = {
      citations: ['https://example.com/a'],
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'x', reasoning: 'hm' },
          finish_reason: 'eos',
          usage: counts,
        },
      ],
    }
    expect(openaiChat.passAnswer(body, meta)).toEqual({
      id: 'chatcmpl-r1',
      object: 'chat.completion',
      created: 5,
      citations: ['https://example.com/a'],
      usage: counts,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'x', reasoning: 'hm', reasoning_content: 'hm' },
          finish_reason: 'stop',
        },
      ],
    })
  })
})

it('gives a call without arguments of a whole answer an empty object', () => {
  const call = (args: string) => ({
    id: 'a',
    type: 'function',
    function: { name: 'f', arguments: args },
  })
  const message = { role: 'assistant', content: null, tool_calls: [call(''), call('{"x":1}')] }
  const body = {
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
    usage: counts,
  }
  expect(openaiChat.passAnswer(body, meta)).toMatchObject({
    choices: [{ message: { tool_calls: [call('{}'), call('{"x":1}')] } }],
  })
})

describe('reading a tolerant chat stream', () => {
  it('knows a call whose deltas have no index, and ends it with tool_calls though the server says stop', () => {
    const parser = openaiChat.streamParser()
    const wire =
      chunk({ delta: { tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{"x"' } }] } }) +
      chunk({ delta: { tool_calls: [{ function: { arguments: ':1}' } }] } }) +
      chunk({ finish_reason: 'stop' })
    const events = new SseSplitter().push(Buffer.from(wire)).flatMap((event) => parser.push(event))
    expect(events.filter((event) => event.type !== 'start')).toEqual([
      { type: 'tool_start', index: 0, id: 'a', name: 'f', choice: undefined },
      { type: 'tool_args', index: 0, delta: '{"x"', choice: undefined },
      { type: 'tool_args', index: 0, delta: ':1}', choice: undefined },
      { type: 'tool_end', index: 0, choice: undefined },
      { type: 'finish', reason: 'tool_calls', native: 'stop', choice: undefined },
    ])
  })

  it('reads calls that a server sends whole under one index as several', () => {
    const parser = openaiChat.streamParser()
    const call = (index: number, id: string, args: string) => ({
      index,
      id,
      function: { name: 'f', arguments: args },
    })
    const wire =
      chunk({ delta: { tool_calls: [call(0, 'a', '{"x":1}'), call(0, 'b', '{"x":2}')] } }) +
      chunk({ delta: { tool_calls: [call(1, 'c', '{}')] } })
    const events = new SseSplitter().push(Buffer.from(wire)).flatMap((event) => parser.push(event))
    const told = events.flatMap((event) =>
      event.type === 'tool_start'
        ? [[event.index, event.id]]
        : event.type === 'tool_args'
          ? [[event.index, event.delta]]
          : [],
    )
    expect(told).toEqual([
      [0, 'a'],
      [0, '{"x":1}'],
      [1, 'b'],
      [1, '{"x":2}'],
      [2, 'c'],
      [2, '{}'],
    ])
  })

  it('reads a bare error in the place of a chunk', () => {
    const [event] = new SseSplitter().push(Buffer.from('data: {"code":1301,"msg":"sensitive"}\n\n'))
    const events = event && openaiChat.streamParser().push(event)
    expect(events).toEqual([
      {
        type: 'error',
        failure: expect.objectContaining({ message: 'sensitive', code: 1301 }) as unknown,
      },
    ])
  })

  it('throws an upstream failure for data that is no JSON', () => {
    const [event] = new SseSplitter().push(Buffer.from('data: {"cut\n\n'))
    expect(() => event && openaiChat.streamParser().push(event)).toThrow(/cannot be read/)
  })
})
