import { describe, expect, it } from 'vitest'
import type { AnswerMeta, ChatDialect } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { freeformArguments, withGrammars } from '../neutral/freeform-tools.ts'
import { codecs } from '../index.ts'
import { SseSplitter } from '../../wire/sse.ts'
import { answerMeta } from '../../../test/harness/answer-meta.ts'

const chat = codecs['openai-chat']
const grammar = { syntax: 'lark', definition: 'start: "a"' }
const custom = {
  type: 'custom',
  custom: { name: 'sql', description: 'Runs SQL.', format: { type: 'grammar', grammar } },
}
const call = { id: 'c1', type: 'custom', custom: { name: 'sql', input: 'select "1"' } }
const body = {
  model: 'm',
  messages: [
    { role: 'user', content: 'x' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: '1' },
  ],
  tools: [custom, { type: 'function', function: { name: 'f' } }],
  tool_choice: { type: 'custom', custom: { name: 'sql' } },
}
const request = chat.parseRequest(body, {})
const meta = answerMeta({ includeUsage: false, request })
const described = 'Runs SQL.\nThe input follows this grammar:\nstart: "a"'

function build(dialect: ChatDialect, model: string): JsonObject {
  return codecs[dialect].buildRequest(request, {
    upstreamModel: model,
    dropped: [],
    option: () => undefined as never,
  })
}

function deltasOf(events: readonly ChatEvent[], about: AnswerMeta): unknown[] {
  const writer = chat.streamWriter(about)
  const wire = events.map((event) => writer.write(event)).join('') + writer.end()
  return new SseSplitter().push(Buffer.from(wire)).flatMap(({ data }) => {
    const { choices } = data === '[DONE]' ? {} : (JSON.parse(data) as { choices?: JsonObject[] })
    const { delta } = (choices?.[0] ?? {}) as { delta?: JsonObject }
    return delta?.tool_calls ?? []
  })
}

const answered: ChatEvent[] = [
  { type: 'start' },
  { type: 'tool_start', index: 0, id: 'c2', name: 'sql' },
  { type: 'tool_args', index: 0, delta: '{"input":"select ' },
  { type: 'tool_args', index: 0, delta: '\\"2\\""}' },
  { type: 'tool_end', index: 0 },
  { type: 'tool_start', index: 1, id: 'c3', name: 'f' },
  { type: 'tool_args', index: 1, delta: '{"a":1}' },
  { type: 'tool_end', index: 1 },
  { type: 'finish', reason: 'tool_calls' },
]
const written = { id: 'c2', type: 'custom', custom: { name: 'sql', input: 'select "2"' } }

describe('a custom tool of a chat client', () => {
  it('is a function of one text to Claude, its choice, calls and results too', () => {
    expect(build('anthropic-messages', 'claude-opus-4-5')).toMatchObject({
      tools: [
        { name: 'sql', description: described, input_schema: { required: ['input'] } },
        { name: 'f' },
      ],
      tool_choice: { type: 'tool', name: 'sql' },
      messages: [
        { role: 'user' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', name: 'sql', input: { input: 'select "1"' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1' }] },
      ],
    })
  })

  it('is one to Gemini and to servers of this dialect that know functions only', () => {
    expect(build('gemini', 'gemini-2.5-flash')).toMatchObject({
      tools: [{ functionDeclarations: [{ name: 'sql', description: described }, { name: 'f' }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['sql'] } },
      contents: [
        {},
        { parts: [{ functionCall: { name: 'sql', args: { input: 'select "1"' } } }] },
        { parts: [{ functionResponse: { name: 'sql' } }] },
      ],
    })
    expect(build('openai-chat', 'deepseek-chat')).toMatchObject({
      tools: [
        { type: 'function', function: { name: 'sql', description: described } },
        { type: 'function' },
      ],
      tool_choice: { type: 'function', function: { name: 'sql' } },
      messages: [
        {},
        {
          tool_calls: [
            { type: 'function', function: { arguments: freeformArguments('select "1"') } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: '1' },
      ],
    })
  })

  it('is a custom tool to Responses, where a grammar is written flat', () => {
    expect(build('openai-responses', 'gpt-5')).toMatchObject({
      tools: [
        { type: 'custom', name: 'sql', format: { type: 'grammar', ...grammar } },
        { type: 'function', name: 'f' },
      ],
      tool_choice: { type: 'custom', name: 'sql' },
      input: [
        {},
        { type: 'custom_tool_call', name: 'sql', input: 'select "1"' },
        { type: 'custom_tool_call_output', call_id: 'c1' },
      ],
    })
  })

  it('tells its grammar to formats that take a description only', () => {
    expect(withGrammars(request).tools[0]?.description).toBe(described)
    const plain = { ...request, tools: [] }
    expect(withGrammars(plain)).toBe(plain)
  })

  it('may be one of the allowed tools', () => {
    const choice = {
      type: 'allowed_tools',
      allowed_tools: { mode: 'required', tools: [{ type: 'custom', custom: { name: 'sql' } }] },
    }
    expect(chat.parseRequest({ ...body, tool_choice: choice }, {}).toolChoice).toEqual({
      mode: 'some',
      names: ['sql'],
      required: true,
    })
  })

  it('is called back as a custom tool, beside functions, whole and streamed', () => {
    const answer = chat.writeAnswer(answered, meta) as { choices: JsonObject[] }
    expect(answer.choices[0]).toMatchObject({
      message: { tool_calls: [written, { type: 'function', function: { name: 'f' } }] },
      finish_reason: 'tool_calls',
    })
    expect(deltasOf(answered, meta)).toEqual([
      { index: 0, id: 'c2', type: 'custom', custom: { name: 'sql', input: '' } },
      { index: 0, custom: { input: 'select "2"' } },
      { index: 1, id: 'c3', type: 'function', function: { name: 'f', arguments: '' } },
      { index: 1, function: { arguments: '{"a":1}' } },
    ])
  })

  it('is told whole even where the upstream tells no end of a call', () => {
    const cut = answered.filter(({ type }) => type !== 'tool_end')
    expect(deltasOf(cut, meta)).toContainEqual({ index: 0, custom: { input: 'select "2"' } })
  })
})

describe('a custom tool that the upstream itself calls', () => {
  const pieces = ['', 'say "', 'hi"\n'].map((input, index) => ({
    choices: [
      {
        index: 0,
        delta: {
          tool_calls: [
            index === 0
              ? { index: 0, id: 'c2', type: 'custom', custom: { name: 'sql', input } }
              : { index: 0, custom: { input } },
          ],
        },
        finish_reason: index === 2 ? 'tool_calls' : null,
      },
    ],
  }))

  it('is read in pieces, and written as one without knowing the request', () => {
    const parser = chat.streamParser()
    const events = pieces.flatMap((json) =>
      parser.push({ event: undefined, data: '{}', raw: '', json }),
    )
    const { request: _unknown, ...bare } = meta
    expect(deltasOf(events, bare)).toEqual([
      { index: 0, id: 'c2', type: 'custom', custom: { name: 'sql', input: '' } },
      { index: 0, custom: { input: 'say "hi"\n' } },
    ])
    const answer = chat.writeAnswer(events, bare) as { choices: JsonObject[] }
    expect(answer.choices[0]).toMatchObject({
      message: { tool_calls: [{ type: 'custom', custom: { input: 'say "hi"\n' } }] },
    })
  })
})

describe('passing a chat body through', () => {
  it.each([
    { model: 'deepseek-chat', has: {}, may: true },
    { model: 'deepseek-chat', has: { tools: [custom] }, may: false },
    { model: 'deepseek-chat', has: { messages: body.messages }, may: false },
    { model: 'gpt-5', has: { tools: [custom] }, may: true },
    { model: 'openai/gpt-5', has: { tools: [custom] }, may: true },
  ])('to $model with $has is allowed: $may', ({ model, has, may }) => {
    expect(chat.canPass?.({ messages: [], ...has }, model)).toBe(may)
  })
})
