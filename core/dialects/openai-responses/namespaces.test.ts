import { describe, expect, it } from 'vitest'
import type { AnswerHints, ChatDialect } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { codecs } from '../index.ts'
import { SseSplitter } from '../../wire/sse.ts'
import { answerMeta } from '../../../test/harness/answer-meta.ts'

const responses = codecs['openai-responses']
const fn = (name: string, more: JsonObject = {}) => ({
  type: 'function',
  name,
  parameters: { type: 'object', properties: { q: { type: 'string' } } },
  ...more,
})
const group = (name: string, ...tools: JsonObject[]) => ({
  type: 'namespace',
  name,
  description: `Tools of ${name}.`,
  tools,
})
const long = 'n'.repeat(60)
const body = {
  model: 'm',
  input: [
    { role: 'user', content: 'x' },
    { type: 'function_call', call_id: 'c1', namespace: 'linear', name: 'search', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c1', output: 'found' },
  ],
  tools: [
    fn('shell'),
    group('mcp__github__', fn('search', { description: 'Finds.' }), fn('merge')),
    group('linear', fn('search'), { type: 'custom', name: 'note' }),
    group(long, fn('search')),
  ],
  tool_choice: { type: 'function', namespace: 'linear', name: 'search' },
}
const request = responses.parseRequest(body, {})
const meta = answerMeta({ request })

function build(dialect: ChatDialect, hints: AnswerHints = {}): JsonObject {
  return codecs[dialect].buildRequest(request, {
    upstreamModel: dialect === 'gemini' ? 'gemini-3-pro' : 'deepseek-chat',
    dropped: [],
    option: () => undefined as never,
    hints,
  })
}

const functionsOf = (built: JsonObject) =>
  (built.tools as { function: { name: string; description?: string } }[]).map(
    (tool) => tool.function,
  )

function streamed(events: readonly ChatEvent[]): JsonObject[] {
  const writer = responses.streamWriter(meta)
  const wire = events.map((event) => writer.write(event)).join('') + writer.end()
  return new SseSplitter()
    .push(Buffer.from(wire))
    .map((event) => JSON.parse(event.data) as JsonObject)
}

describe('tools that come in the middle of a conversation', () => {
  const added = (...tools: JsonObject[]) => ({ type: 'additional_tools', role: 'developer', tools })

  it('are there for everybody else, each once, and say nothing themselves', () => {
    const input = [
      { role: 'user', content: 'x' },
      added(fn('find', { description: 'old' }), group('linear', fn('search'))),
      added(fn('find', { description: 'new' }), fn('shell')),
    ]
    const read = responses.parseRequest({ ...body, tools: [fn('shell')], input }, {})
    expect(read.tools.map(({ name, description }) => [name, description])).toEqual([
      ['shell', undefined],
      ['find', 'new'],
      ['search', 'Tools of linear.'],
    ])
    expect(read.turns).toEqual([{ role: 'user', parts: [{ kind: 'text', text: 'x' }] }])
  })

  it('are a list', () => {
    const input = [{ type: 'additional_tools', tools: 'find' }]
    expect(() => responses.parseRequest({ model: 'm', input }, {})).toThrow('tools')
  })
})

describe('the tools of a namespace', () => {
  it('are functions of their own names, with the namespace in front where others have the same', () => {
    const functions = functionsOf(build('openai-chat'))
    expect(functions.map(({ name }) => name)).toEqual([
      'shell',
      'mcp__github__search',
      'merge',
      'linear__search',
      'note',
      `${long}__search`.slice(0, 64),
    ])
    expect(functions[1]?.description).toBe('Finds.\n\nTools of mcp__github__.')
    expect(functions[2]?.description).toBe('Tools of mcp__github__.')
  })

  it('are called in the history and chosen by these names', () => {
    const built = build('openai-chat')
    expect(built.tool_choice).toEqual({ type: 'function', function: { name: 'linear__search' } })
    const messages = built.messages as JsonObject[]
    expect(messages[1]?.tool_calls).toMatchObject([{ function: { name: 'linear__search' } }])
    expect(messages[2]).toMatchObject({ tool_call_id: 'c1', content: 'found' })
  })

  it.each(['openai-chat', 'anthropic-messages', 'gemini', 'openai-responses'] as const)(
    'hold to the rule for names of %s, each its own',
    (dialect) => {
      const built = JSON.stringify(build(dialect))
      const names = [...built.matchAll(/"name":"([^"]+)"/g)].map((match) => match[1] ?? '')
      expect(names.every((name) => /^[A-Za-z0-9_-]{1,128}$/.test(name))).toBe(true)
      expect(new Set(names).size).toBe(6)
    },
  )

  const called = [
    { name: 'linear__search', own: { name: 'search', namespace: 'linear' } },
    { name: 'merge', own: { name: 'merge', namespace: 'mcp__github__' } },
    { name: `${long}__search`.slice(0, 64), own: { name: 'search', namespace: long } },
    { name: 'shell', own: { name: 'shell' } },
  ]

  it.each(called)('are called back by the names of their client: $own.name', ({ name, own }) => {
    const hints: AnswerHints = {}
    build('openai-chat', hints)
    const call = { id: 'c2', type: 'function', function: { name, arguments: '{}' } }
    const message = { role: 'assistant', content: null, tool_calls: [call] }
    const answer = { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }
    const events = codecs['openai-chat'].parseAnswer(answer, hints)
    const [item] = responses.writeAnswer(events, meta).output as JsonObject[]
    const { id: _id, status: _status, ...rest } = item ?? {}
    expect(rest).toEqual({ type: 'function_call', call_id: 'c2', arguments: '{}', ...own })
    const done = streamed(events).filter(({ type }) => type === 'response.output_item.done')
    expect(done).toMatchObject([{ item: { type: 'function_call', call_id: 'c2', ...own } }])
  })

  it('may take plain text', () => {
    const events: ChatEvent[] = [
      { type: 'start' },
      { type: 'tool_start', index: 0, id: 'c3', name: 'note' },
      { type: 'tool_args', index: 0, delta: '{"input":"a"}' },
      { type: 'tool_end', index: 0 },
      { type: 'finish', reason: 'tool_calls' },
    ]
    const item = { type: 'custom_tool_call', name: 'note', namespace: 'linear', input: 'a' }
    expect(responses.writeAnswer(events, meta)).toMatchObject({ output: [item] })
    expect(streamed(events).at(-1)).toMatchObject({ response: { output: [item] } })
  })

  it('are called by both names also where an answer of their own dialect is written anew', () => {
    const own = { type: 'function_call', call_id: 'c', name: 'merge', namespace: 'x' }
    const events = responses.parseAnswer({ output: [{ ...own, arguments: '{}' }] })
    const { request: _request, ...plain } = meta
    expect(responses.writeAnswer(events, plain)).toMatchObject({ output: [own] })
    const writer = responses.streamWriter(plain)
    const wire = events.map((event) => writer.write(event)).join('') + writer.end()
    const parser = responses.streamParser()
    const read = new SseSplitter().push(Buffer.from(wire)).flatMap((event) => parser.push(event))
    expect(read).toContainEqual({
      type: 'tool_start',
      index: 0,
      id: 'c',
      name: 'merge',
      namespace: 'x',
    })
  })

  it('are echoed as they were declared', () => {
    const { tools } = responses.writeAnswer([{ type: 'text', delta: 'x' }], meta)
    expect(tools).toMatchObject([
      { type: 'function', name: 'shell' },
      { type: 'namespace', name: 'mcp__github__', tools: [{ name: 'search' }, { name: 'merge' }] },
      { type: 'namespace', name: 'linear', tools: [{ name: 'search' }, { type: 'custom' }] },
      { type: 'namespace', name: long },
    ])
  })
})

describe('a tool that nobody else has', () => {
  it.each([
    [{ type: 'local_shell', name: 'n'.repeat(999) }, /"n{63}…"/],
    [{ type: 'mcp', name: 'wiki', server_url: 'x' }, /"mcp" \("wiki"\)/],
    [group('x', { type: 'local_shell', name: 'sh' }), /"local_shell" \("sh"\)/],
  ])('is refused by its type and name: %j', (tool, words) => {
    const convert = () =>
      codecs['openai-chat'].buildRequest(
        responses.parseRequest({ model: 'm', input: 'x', tools: [tool] }, {}),
        { upstreamModel: 'deepseek-chat', dropped: [], option: () => undefined as never },
      )
    expect(convert).toThrow(words)
  })
})
