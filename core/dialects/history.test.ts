// Conversations that changed provider: what we wrote into them goes, what the provider wrote stays.
import { describe, expect, it } from 'vitest'
import type { ChatDialect } from '../contract/dialect.ts'
import type { ChatEvent } from '../contract/neutral.ts'
import type { JsonObject } from '../contract/json.ts'
import { newRequestId } from '../http/request-id.ts'
import { codecs } from './index.ts'
import { answerMeta } from '../../test/harness/answer-meta.ts'

const meta = answerMeta({ requestId: newRequestId() })
/** What a provider of another kind answered: thoughts that nobody sealed, and a call. */
const foreign: ChatEvent[] = [
  { type: 'start' },
  { type: 'reasoning', delta: 'I think.' },
  { type: 'text', delta: 'Let me look.' },
  { type: 'tool_start', index: 0, id: 'functions.look:0', name: 'look' },
  { type: 'tool_args', index: 0, delta: '{}' },
  { type: 'tool_end', index: 0 },
  { type: 'finish', reason: 'tool_calls' },
]
const answerOf = (dialect: ChatDialect) => codecs[dialect].writeAnswer(foreign, meta)

describe('a Claude conversation that another provider answered', () => {
  const { mendHistory, forgetThoughts } = codecs['anthropic-messages']
  const user = { role: 'user', content: 'Hi' }
  const result = (id: string) => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: id, content: 'seen' }],
  })
  const signed = { type: 'thinking', thinking: 'Hm.', signature: 'sealed' }
  const call = { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }
  const thinking = { type: 'enabled', budget_tokens: 1024 }
  const { content } = answerOf('anthropic-messages') as { content: JsonObject[] }
  const answered = { role: 'assistant', content }
  const open = { thinking, messages: [user, answered, result('functions.look:0')] }

  it('goes on without our thoughts, and without thinking while the loop is open', () => {
    const mended = mendHistory(open, 'claude-sonnet-4-5')
    expect(mended).not.toHaveProperty('thinking')
    const messages = mended.messages as { content: JsonObject[] }[]
    expect(messages[1]?.content).toMatchObject([{ type: 'text' }, { type: 'tool_use' }])
    const id = messages[1]?.content[1]?.id
    expect(id).toMatch(/^[A-Za-z0-9_-]+$/)
    expect(messages[2]?.content[0]?.tool_use_id).toBe(id)
  })

  it('thinks again as soon as the loop is over', () => {
    const messages = [...open.messages, { role: 'assistant', content: 'So.' }, user]
    const mended = mendHistory({ thinking, messages }, 'claude-sonnet-4-5')
    expect(mended.thinking).toBe(thinking)
    expect(JSON.stringify(mended)).not.toContain('I think.')
  })

  it('keeps thoughts that Claude sealed, and goes untouched where there are no others', () => {
    const own = { thinking, messages: [user, { role: 'assistant', content: [signed, call] }] }
    expect(mendHistory(own, 'claude-sonnet-4-5')).toBe(own)
    const bare = { role: 'assistant', content: [call] }
    // What its client took out itself is between it and Claude.
    const taken = { thinking, messages: [user, bare, result('toolu_1')] }
    expect(mendHistory(taken, 'claude-sonnet-4-5')).toBe(taken)
    const mixed = { ...own, messages: [...own.messages, result('toolu_1'), answered, user] }
    const mended = mendHistory(mixed, 'us.anthropic.claude-opus-4-5-v1:0')
    expect((mended.messages as unknown[])[1]).toBe(own.messages[1])
  })

  it('is not touched for others that speak the dialect, whose thoughts may have no seal', () => {
    expect(mendHistory(open, 'deepseek-chat')).toBe(open)
  })

  it('leaves no message empty, and nothing that edits thoughts when there are none', () => {
    const alone = { role: 'assistant', content: [{ type: 'thinking', thinking: 'x' }] }
    const edits = [{ type: 'clear_thinking_20251015' }, { type: 'clear_tool_uses_20250919' }]
    const body = {
      ...open,
      context_management: { edits },
      messages: [user, alone, ...open.messages],
    }
    const mended = mendHistory(body, 'claude-sonnet-4-5')
    expect((mended.messages as unknown[])[1]).toMatchObject({ content: [{ text: '...' }] })
    expect(mended.context_management).toEqual({ edits: [edits[1]] })
  })

  it('goes on without any thought when Claude refused a seal', () => {
    const messages = [user, { role: 'assistant', content: [signed, call] }, result('toolu_1')]
    const bare = forgetThoughts({ thinking, messages })
    expect(bare).toEqual({ messages: [user, { role: 'assistant', content: [call] }, messages[2]] })
  })
})

describe('a Gemini conversation that another provider answered', () => {
  const { mendHistory, forgetThoughts } = codecs.gemini
  const user = { role: 'user', parts: [{ text: 'Hi' }] }
  const [candidate] = answerOf('gemini').candidates as { content: JsonObject }[]
  const signed = { functionCall: { name: 'look', args: {} }, thoughtSignature: 'sealed' }
  const second = { functionCall: { name: 'look', args: { x: 1 } } }
  const sentinel = { thoughtSignature: 'skip_thought_signature_validator' }

  it('has Google’s sentinel in the place of a signature', () => {
    const mended = mendHistory({ contents: [user, candidate?.content] }, 'gemini-3-pro-preview')
    const [, model] = mended.contents as { parts: JsonObject[] }[]
    expect(model?.parts.filter((part) => part.functionCall)).toMatchObject([sentinel])
    expect(JSON.stringify(mended).match(/skip_thought/g)).toHaveLength(1)
  })

  it('is not touched where Gemini signed, nor for models that ask for none', () => {
    const own = {
      contents: [
        user,
        { role: 'model', parts: [signed, second] },
        { role: 'model', parts: [second] },
      ],
    }
    expect(mendHistory(own, 'gemini-3-pro-preview')).toBe(own)
    const body = { contents: [user, candidate?.content] }
    expect(mendHistory(body, 'gemini-2.5-pro')).toBe(body)
    const snake = {
      contents: [{ role: 'model', parts: [{ function_call: {}, thought_signature: 's' }] }],
    }
    expect(mendHistory(snake, 'gemini-3-pro-preview')).toBe(snake)
  })

  it('goes on without any signature when Gemini refused one', () => {
    const said = { text: 'x', thoughtSignature: 'sealed' }
    const body = { contents: [user, { role: 'model', parts: [said, signed, second] }] }
    expect(forgetThoughts(body).contents).toEqual([
      user,
      { role: 'model', parts: [{ text: 'x' }, { ...signed, ...sentinel }, second] },
    ])
  })
})

describe('a Responses conversation that another provider answered', () => {
  const { mendHistory, forgetThoughts } = codecs['openai-responses']
  const user = { type: 'message', role: 'user', content: 'Hi' }
  const own = [
    { type: 'reasoning', id: 'rs_0123456789abcdef', summary: [], encrypted_content: 'sealed' },
    { type: 'reasoning', id: 'rs_0123456789abcdee', summary: [] },
    { type: 'reasoning', summary: [], encrypted_content: 'sealed' },
    { type: 'function_call', id: 'fc_0123', call_id: 'call_1', name: 'look', arguments: '{}' },
  ]

  it('has neither our thoughts nor our ids', () => {
    const output = answerOf('openai-responses').output as JsonObject[]
    const { input } = mendHistory({ input: [user, ...output] }, 'gpt-5') as { input: JsonObject[] }
    expect(input.map(({ type }) => type)).toEqual(['message', 'message', 'function_call'])
    expect(input.every((item) => item.id === undefined)).toBe(true)
    expect(input[2]).toMatchObject({ call_id: 'functions.look:0', name: 'look' })
  })

  it('has no thought that a client stripped of everything that OpenAI could know', () => {
    const stripped = { type: 'reasoning', summary: [{ type: 'summary_text', text: 'x' }] }
    expect(mendHistory({ input: [user, stripped] }, 'gpt-5')).toEqual({ input: [user] })
  })

  it('is not touched where OpenAI wrote it', () => {
    const body = { input: [user, ...own] }
    expect(mendHistory(body, 'gpt-5')).toBe(body)
    const text = { input: 'Hi' }
    expect(mendHistory(text, 'gpt-5')).toBe(text)
  })

  it('goes on without any thought when OpenAI refused a seal', () => {
    expect(forgetThoughts({ input: [user, ...own] })).toEqual({ input: [user, own[3]] })
  })
})

describe('a chat conversation that another provider answered', () => {
  const { mendHistory } = codecs['openai-chat']
  const call = { id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }
  const sealed = { ...call, extra_content: { google: { thought_signature: 's' } } }
  const said = { role: 'assistant', content: null, tool_calls: [call] }

  it('goes to OpenAI without what only others know', () => {
    const messages = [{ ...said, tool_calls: [sealed], reasoning_content: 'x' }]
    expect(mendHistory({ messages }, 'gpt-5')).toEqual({ messages: [said] })
    const body = { messages }
    expect(mendHistory(body, 'deepseek-chat')).toBe(body)
    const plain = { messages: [said] }
    expect(mendHistory(plain, 'gpt-5')).toBe(plain)
  })
})

describe('an answer whose pieces a client keeps as turns of their own', () => {
  // What google-genai's chats send after a streamed answer with two calls.
  const contents = [
    { role: 'user', parts: [{ text: 'How is it?' }] },
    { role: 'model', parts: [{ text: 'I lo' }] },
    { role: 'model', parts: [{ text: 'ok.' }] },
    { role: 'model', parts: [{ functionCall: { id: 'a', name: 'look', args: {} } }] },
    { role: 'model', parts: [{ functionCall: { id: 'b', name: 'look', args: {} } }] },
    { role: 'model', parts: [{ text: '' }] },
    {
      role: 'user',
      parts: ['a', 'b'].map((id) => ({
        functionResponse: { id, name: 'look', response: { result: 'seen' } },
      })),
    },
  ]
  const messages = [
    { role: 'user', content: 'How is it?' },
    { role: 'assistant', content: 'I lo' },
    { role: 'assistant', content: 'ok.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'b', name: 'look', input: {} }] },
    {
      role: 'user',
      content: ['a', 'b'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'seen' })),
    },
  ]

  it.each<[ChatDialect, JsonObject]>([
    ['gemini', { contents }],
    ['anthropic-messages', { model: 'm', max_tokens: 9, messages }],
  ])('is one message for OpenAI: %s', (dialect, body) => {
    const request = codecs[dialect].parseRequest(body, { model: 'm' })
    const target = { upstreamModel: 'm', dropped: [], option: () => undefined as never }
    const built = codecs['openai-chat'].buildRequest(request, target)
    expect(built.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: 'I look.', tool_calls: [{ id: 'a' }, { id: 'b' }] },
      { role: 'tool', tool_call_id: 'a' },
      { role: 'tool', tool_call_id: 'b' },
    ])
  })
})
