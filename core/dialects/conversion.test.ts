// Rules of single conversions that no round trip shows.
import { describe, expect, it } from 'vitest'
import type { BuildTarget, ChatDialect } from '../contract/dialect.ts'
import type { ChatRequest, Part } from '../contract/neutral.ts'
import type { JsonObject } from '../contract/json.ts'
import { codecs } from './index.ts'
import { answerMeta } from '../../test/harness/answer-meta.ts'

function build(
  dialect: ChatDialect,
  model: string,
  request: Partial<ChatRequest>,
  more: Partial<BuildTarget> = {},
) {
  const dropped: string[] = []
  const full: ChatRequest = {
    model,
    system: [],
    turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }],
    tools: [],
    hostedTools: [],
    stream: false,
    includeUsage: false,
    ...request,
  }
  const target: BuildTarget = {
    upstreamModel: model,
    dropped,
    option: () => undefined as never,
    hints: {},
    ...more,
  }
  return { body: codecs[dialect].buildRequest(full, target), dropped, target }
}

const text = (value: string): Part => ({ kind: 'text', text: value })
const tool = { name: 'f', parameters: { type: 'object', properties: { x: { type: 'string' } } } }

describe('reasoning', () => {
  it.each([
    ['openai-chat', 'o4-mini', { effort: 'minimal' }, { reasoning_effort: 'low' }],
    ['openai-chat', 'gpt-5', { budget: 0 }, { reasoning_effort: 'minimal' }],
    ['openai-chat', 'gpt-5.1', { budget: 0 }, { reasoning_effort: 'none' }],
    ['openai-chat', 'o3', { budget: 5000 }, { reasoning_effort: 'medium' }],
    [
      'openai-responses',
      'gpt-5.2',
      { effort: 'max', includeThoughts: true },
      { reasoning: { effort: 'xhigh', summary: 'auto' } },
    ],
    [
      'anthropic-messages',
      'claude-sonnet-4-5',
      { effort: 'low' },
      { thinking: { type: 'enabled', budget_tokens: 1280 } },
    ],
    [
      'anthropic-messages',
      'claude-opus-4-6',
      { effort: 'minimal', includeThoughts: true },
      { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'low' } },
    ],
    [
      'anthropic-messages',
      'claude-opus-4-6',
      { effort: 'xhigh' },
      { output_config: { effort: 'max' } },
    ],
    [
      'anthropic-messages',
      'claude-opus-4-8',
      { effort: 'xhigh' },
      { output_config: { effort: 'xhigh' } },
    ],
    [
      'anthropic-messages',
      'claude-sonnet-5',
      { effort: 'none' },
      { thinking: { type: 'disabled' } },
    ],
    [
      'gemini',
      'gemini-2.5-flash',
      { effort: 'medium' },
      { generationConfig: { thinkingConfig: { thinkingBudget: 12288 } } },
    ],
    [
      'gemini',
      'gemini-2.5-pro',
      { effort: 'none' },
      { generationConfig: { thinkingConfig: { thinkingBudget: 128 } } },
    ],
    [
      'gemini',
      'gemini-2.5-flash',
      { budget: 99999 },
      { generationConfig: { thinkingConfig: { thinkingBudget: 24576 } } },
    ],
    [
      'gemini',
      'gemini-3-flash-preview',
      { effort: 'none' },
      { generationConfig: { thinkingConfig: { thinkingLevel: 'minimal' } } },
    ],
    [
      'gemini',
      'gemini-3.8-flash',
      { effort: 'none' },
      { generationConfig: { thinkingConfig: { thinkingLevel: 'low' } } },
    ],
    [
      'gemini',
      'gemini-flash-latest',
      { effort: 'minimal' },
      { generationConfig: { thinkingConfig: { thinkingLevel: 'low' } } },
    ],
    [
      'gemini',
      'gemini-3-pro-preview',
      { effort: 'max' },
      { generationConfig: { thinkingConfig: { thinkingLevel: 'high' } } },
    ],
  ] as const)('to %s %s: %j', (dialect, model, reasoning, expected) => {
    expect(build(dialect, model, { reasoning }).body).toMatchObject(expected)
  })

  it.each([
    ['openai-chat', 'gpt-4o', { effort: 'high' }, 'reasoning_effort'],
    ['anthropic-messages', 'claude-sonnet-4-5', { effort: 'none' }, 'thinking'],
    ['anthropic-messages', 'claude-3-5-haiku-20241022', { effort: 'low' }, 'thinking'],
    ['gemini', 'gemini-2.0-flash', { effort: 'low' }, 'generationConfig'],
  ] as const)('asks %s %s for nothing: %j', (dialect, model, reasoning, field) => {
    expect(build(dialect, model, { reasoning }).body[field]).toBeUndefined()
  })

  it('raises the output limit above the budget and fixes sampling', () => {
    const { body, dropped } = build('anthropic-messages', 'claude-sonnet-4-5', {
      reasoning: { effort: 'high' },
      maxTokens: 1000,
      temperature: 0.3,
    })
    expect(body).toMatchObject({ max_tokens: 5096, thinking: { budget_tokens: 4096 } })
    expect(body.temperature).toBeUndefined()
    expect(dropped).toContain('temperature')
  })

  it('takes the share of a suffix from the output limit', () => {
    const { body } = build('anthropic-messages', 'claude-3-7-sonnet-20250219', {
      reasoning: { share: 0.8, includeThoughts: true },
      maxTokens: 2000,
    })
    expect(body).toMatchObject({
      max_tokens: 2000,
      thinking: { type: 'enabled', budget_tokens: 1600 },
    })
  })

  it('does not force a tool while the model thinks', () => {
    const request = {
      tools: [tool],
      toolChoice: { mode: 'required' as const },
      reasoning: { effort: 'low' as const },
    }
    expect(build('anthropic-messages', 'claude-sonnet-4-5', request).body.tool_choice).toEqual({
      type: 'auto',
    })
  })

  it.each([
    ['openai-chat', { model: 'gpt-5' }, { effort: 'high' }, { reasoning_effort: 'high' }],
    [
      'openai-responses',
      { reasoning: { summary: 'auto' } },
      { effort: 'low' },
      { reasoning: { summary: 'auto', effort: 'low' } },
    ],
    [
      'anthropic-messages',
      { max_tokens: 2000, top_p: 1 },
      { share: 0.8 },
      { max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 1600 } },
    ],
    [
      'gemini',
      { generationConfig: { maxOutputTokens: 1000 } },
      { share: 0.6, includeThoughts: true },
      {
        generationConfig: {
          maxOutputTokens: 1000,
          thinkingConfig: { thinkingBudget: 600, includeThoughts: true },
        },
      },
    ],
  ] as const)('is written into a passed body of %s', (dialect, body, wish, expected) => {
    const models = {
      'openai-chat': 'gpt-5',
      'openai-responses': 'gpt-5',
      'anthropic-messages': 'claude-sonnet-4-5',
      gemini: 'gemini-2.5-flash',
    }
    const target = { upstreamModel: models[dialect], option: () => undefined as never }
    expect(codecs[dialect].editReasoning({ ...body }, wish, target)).toMatchObject(expected)
  })
})

describe('sealed reasoning', () => {
  const thought: Part = {
    kind: 'reasoning',
    text: 'hm',
    state: { owner: 'anthropic', data: 'sig' },
  }
  const call: Part = { kind: 'tool_call', id: 'c1', name: 'f', arguments: '{}' }
  const loop = (parts: Part[]) => [
    { role: 'user' as const, parts: [text('Hi')] },
    { role: 'model' as const, parts },
    {
      role: 'user' as const,
      parts: [{ kind: 'tool_result' as const, callId: 'c1', content: [text('ok')] }],
    },
  ]
  const reasoning = { effort: 'low' as const }

  it('is restored from memory for Claude, and thinking is off where it is lost', () => {
    const recallState = () => ({ reasoning: [thought] })
    const known = build(
      'anthropic-messages',
      'claude-sonnet-4-5',
      { turns: loop([call]), reasoning },
      { recallState },
    )
    const [, turn] = known.body.messages as { content: JsonObject[] }[]
    expect(turn?.content[0]).toEqual({
      type: 'thinking',
      thinking: 'hm',
      signature: 'sig',
    })
    expect(known.body.thinking).toMatchObject({ type: 'enabled' })
    const lost = build('anthropic-messages', 'claude-sonnet-4-5', {
      turns: loop([call]),
      reasoning,
    })
    expect(lost.body.thinking).toBeUndefined()
  })

  it('is restored from memory for OpenAI, right before its call', () => {
    const sealed: Part = {
      kind: 'reasoning',
      text: '',
      state: { owner: 'openai', data: 'sealed', id: 'rs_1' },
    }
    const recallState = () => ({ reasoning: [thought, sealed] })
    const { body } = build(
      'openai-responses',
      'gpt-5',
      { turns: loop([text('a'), call]) },
      { recallState },
    )
    expect((body.input as JsonObject[]).map((item) => item.type)).toEqual([
      'message',
      'message',
      'reasoning',
      'function_call',
      'function_call_output',
    ])
    expect(body.include).toEqual(['reasoning.encrypted_content'])
  })

  it('never goes to another provider', () => {
    for (const [dialect, model] of [
      ['openai-responses', 'gpt-5'],
      ['gemini', 'gemini-3-pro-preview'],
      ['openai-chat', 'x'],
    ] as const) {
      const { body } = build(dialect, model, { turns: loop([thought, call]) })
      expect(JSON.stringify(body)).not.toContain('"sig"')
    }
  })

  it('is filled with the documented value for the first call of a Gemini 3 step only', () => {
    const second: Part = { kind: 'tool_call', id: 'c2', name: 'f', arguments: '{}' }
    const { body } = build('gemini', 'gemini-3-pro-preview', { turns: loop([call, second]) })
    const [, turn] = body.contents as { parts: JsonObject[] }[]
    expect(turn?.parts.map((part) => part.thoughtSignature)).toEqual([
      'skip_thought_signature_validator',
      undefined,
    ])
  })

  it('of Gemini travels through a chat client beside the call', () => {
    const meta = answerMeta({ includeUsage: false })
    const events = codecs.gemini.parseAnswer({
      candidates: [
        {
          content: { parts: [{ functionCall: { name: 'f', args: {} }, thoughtSignature: 'sig' }] },
          finishReason: 'STOP',
        },
      ],
    })
    const answer = codecs['openai-chat'].writeAnswer(events, meta)
    const message = (answer.choices as { message: JsonObject }[])[0]?.message
    const request = codecs['openai-chat'].parseRequest(
      { model: 'm', messages: [{ role: 'user', content: 'Hi' }, message] },
      {},
    )
    const { body } = build('gemini', 'gemini-3-pro-preview', { turns: request.turns })
    expect(JSON.stringify(body)).toContain('"thoughtSignature":"sig"')
  })
})

describe('JSON schemas', () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  const responseFormat = { type: 'schema' as const, schema }

  it('are strict at OpenAI only when they close all objects', () => {
    const strictOf = (given: JsonObject) => {
      const { body } = build('openai-chat', 'gpt-4.1', {
        responseFormat: { type: 'schema', schema: given },
      })
      return (body.response_format as { json_schema: JsonObject }).json_schema.strict
    }
    expect(strictOf(schema)).toBe(false)
    expect(strictOf({ ...schema, additionalProperties: false })).toBe(true)
  })

  it('are closed for Claude', () => {
    const { body } = build('anthropic-messages', 'claude-opus-4-5', { responseFormat })
    expect(body.output_config).toEqual({
      format: { type: 'json_schema', schema: { ...schema, additionalProperties: false } },
    })
  })

  it('travel as a tool to Claude models without structured output, whose input becomes the text', () => {
    const { body, target } = build('anthropic-messages', 'claude-3-haiku-20240307', {
      responseFormat,
    })
    expect(body).toMatchObject({
      tools: [{ name: 'json_answer', input_schema: schema }],
      tool_choice: { type: 'tool', name: 'json_answer' },
    })
    const answer = {
      content: [{ type: 'tool_use', id: 't', name: 'json_answer', input: { city: 'Oslo' } }],
      stop_reason: 'tool_use',
      usage: {},
    }
    const events = codecs['anthropic-messages'].parseAnswer(answer, target.hints)
    expect(events).toContainEqual({ type: 'text', delta: '{"city":"Oslo"}' })
    expect(events).toContainEqual({ type: 'finish', reason: 'stop', native: 'tool_use' })
  })

  it('are reduced for Gemini, and go whole where they refer to themselves', () => {
    const parameters = {
      $schema: 'x',
      type: 'object',
      additionalProperties: false,
      properties: {
        kind: { const: 'a' },
        when: { type: 'string', format: 'date-time', default: 'now' },
        mail: { type: 'string', format: 'email' },
        maybe: { type: ['string', 'null'] },
        either: { anyOf: [{ type: 'integer', exclusiveMinimum: 1 }, { type: 'null' }] },
        place: { $ref: '#/$defs/place' },
      },
      $defs: {
        place: { type: 'object', title: 'Place', properties: { title: { type: 'string' } } },
      },
    }
    const declared = (tools: ChatRequest['tools']) =>
      (
        build('gemini', 'gemini-2.5-flash', { tools }).body.tools as {
          functionDeclarations: JsonObject[]
        }[]
      )[0]?.functionDeclarations[0]
    expect(declared([{ name: 'f', parameters }])?.parameters).toEqual({
      type: 'object',
      properties: {
        kind: { type: 'string', enum: ['a'] },
        when: { type: 'string', format: 'date-time' },
        mail: { type: 'string' },
        maybe: { type: 'string', nullable: true },
        either: { type: 'integer', nullable: true },
        place: { type: 'object', properties: { title: { type: 'string' } } },
      },
    })
    const tree = { type: 'object', properties: { child: { $ref: '#' } } }
    expect(declared([{ name: 'f', parameters: tree }])).toEqual({
      name: 'f',
      parametersJsonSchema: tree,
    })
    expect(() =>
      build('gemini', 'gemini-2.0-flash', { tools: [{ name: 'f', parameters: tree }] }),
    ).toThrow(/refers to itself/)
  })
})

describe('what a target cannot say', () => {
  it.each([
    ['anthropic-messages', 'claude-opus-4-5', { count: 2 }, 'n'],
    ['openai-responses', 'gpt-5', { count: 2 }, 'n'],
    [
      'gemini',
      'gemini-2.5-flash',
      { nativeFields: ['previous_response_id'] },
      'previous_response_id',
    ],
    [
      'openai-chat',
      'gpt-5',
      { hostedTools: [{ kind: 'mcp' as const, dialect: 'openai-responses' as const, raw: {} }] },
      'tools',
    ],
    [
      'anthropic-messages',
      'claude-opus-4-5',
      {
        turns: [
          {
            role: 'user' as const,
            parts: [{ kind: 'audio' as const, data: 'x', mediaType: 'audio/wav' }],
          },
        ],
      },
      'messages',
    ],
  ] as const)('is refused by %s %s: %j', (dialect, model, request, field) => {
    expect(() => build(dialect, model, request as Partial<ChatRequest>)).toThrow(
      expect.objectContaining({
        code: 'request.unsupported_parameter',
        status: 400,
        field,
      }) as Error,
    )
  })

  it('a file of another provider is refused', () => {
    const part: Part = {
      kind: 'file',
      source: { type: 'file_id', id: 'file-1', dialect: 'openai-chat' },
    }
    expect(() =>
      build('anthropic-messages', 'claude-opus-4-5', { turns: [{ role: 'user', parts: [part] }] }),
    ).toThrow(expect.objectContaining({ relayCode: 'unsupported_file_reference' }) as Error)
  })

  it('or what may be dropped is told by name', () => {
    const { dropped } = build('anthropic-messages', 'claude-opus-4-5', {
      seed: 1,
      logitBias: {},
      presencePenalty: 1,
      serviceTier: 'priority',
    })
    expect(dropped).toEqual(['seed', 'presence_penalty', 'logit_bias', 'service_tier'])
  })
})

describe('a request that is wrong', () => {
  it.each([
    ['openai-chat', { model: 'm' }, 'messages'],
    [
      'openai-chat',
      { model: 'm', messages: [{ role: 'user', content: 5 }] },
      'messages[0].content',
    ],
    [
      'openai-chat',
      { model: 'm', messages: [{ role: 'user', content: 'x' }], max_tokens: 2 ** 31 },
      'max_tokens',
    ],
    [
      'openai-chat',
      { model: 'm', messages: [{ role: 'user', content: [{ type: 'video' }] }] },
      'messages[0].content[0].type',
    ],
    ['openai-chat', { messages: [{ role: 'user', content: 'x' }] }, 'model'],
    ['openai-responses', { model: 'm' }, 'input'],
    ['anthropic-messages', { model: 'm', messages: [] }, 'messages'],
    [
      'anthropic-messages',
      { model: 'm', messages: [{ role: 'user', content: [{ type: 'image' }] }] },
      'messages[0].content[0].source',
    ],
    ['gemini', { contents: [] }, 'contents'],
    [
      'gemini',
      { contents: [{ parts: [{ text: 'x' }] }], generationConfig: { temperature: 'hot' } },
      'generationConfig.temperature',
    ],
  ] as const)('names its field: %s %j', (dialect, body, field) => {
    const route = dialect === 'gemini' ? { model: 'm' } : {}
    expect(() => codecs[dialect].parseRequest(body as unknown as JsonObject, route)).toThrow(
      expect.objectContaining({ code: 'request.invalid', status: 400, field }) as Error,
    )
  })
})
