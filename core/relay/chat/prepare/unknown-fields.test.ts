// What a provider adds tomorrow reaches it, and its client, through a gateway of today: where both speak the same dialect nothing is lost.
import { describe, expect, it } from 'vitest'
import { relayRoom, sendJson } from '#test'
import type { JsonObject } from '../../../contract/json.ts'

const room = relayRoom({
  channels: [
    { models: 'm' },
    { models: 'claude-sonnet-4-5', type: 14 },
    { models: 'gemini-3-pro', type: 24 },
  ],
  priced: ['m', 'claude-sonnet-4-5', 'gemini-3-pro'],
  customer: 'pioneer',
})

interface Exchange {
  path: string
  streamPath?: string
  body: JsonObject
  answer: JsonObject
  /** Beside it the stream has an event that nobody knows. */
  events: JsonObject[]
}

const later = { anything: [1, { of: 'tomorrow' }] }
const fresh = { type: 'brand_new', later }

const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' }

const exchanges: Record<string, Exchange> = {
  'openai-chat': {
    path: '/v1/chat/completions',
    body: {
      model: 'm',
      later,
      messages: [
        { role: 'user', name: 'ada', later, content: [{ type: 'text', text: 'Hi', later }, fresh] },
      ],
      tools: [{ type: 'function', function: { name: 'f', later }, later }, fresh],
    },
    answer: {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      later,
      choices: [
        { index: 0, message: { role: 'assistant', content: 'Hi', later }, finish_reason: 'stop' },
      ],
    },
    events: [
      {
        ...chunk,
        choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi', later } }],
        later,
      },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop', later }] },
    ],
  },
  'openai-responses': {
    path: '/v1/responses',
    body: {
      model: 'm',
      later,
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }, fresh] },
        { type: 'message', role: 'assistant', phase: 'commentary', content: 'Well' },
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed', later },
        { ...fresh, id: 'x' },
      ],
      tools: [{ type: 'function', name: 'f', defer_loading: true, parameters: null }, fresh],
      reasoning: { effort: 'low', later },
      context_management: [{ type: 'compaction', compact_threshold: 1000 }],
    },
    answer: {
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      later,
      output: [
        fresh,
        {
          type: 'message',
          role: 'assistant',
          phase: 'final_answer',
          content: [{ type: 'output_text', text: 'Hi', annotations: [], later }],
        },
      ],
    },
    events: [
      { type: 'response.created', response: { id: 'resp_1', later } },
      { type: 'response.brand_new.delta', delta: 'x', later },
      {
        type: 'response.completed',
        response: {
          id: 'resp_1',
          status: 'completed',
          output: [fresh],
          usage: { input_tokens: 3, output_tokens: 1, total_tokens: 4, later },
        },
      },
    ],
  },
  'anthropic-messages': {
    path: '/v1/messages',
    body: {
      model: 'claude-sonnet-4-5',
      max_tokens: 99,
      container: 'c_1',
      context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
      system: [{ type: 'text', text: 'Hm', cache_control: { type: 'ephemeral', ttl: '1h' } }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Hi', later }, fresh] },
        {
          role: 'assistant',
          content: [{ type: 'server_tool_use', id: 's', name: 'n', input: {} }],
        },
        { role: 'user', content: 'And?' },
      ],
      tools: [
        { name: 'f', input_schema: { type: 'object' }, defer_loading: true, strict: true },
        { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
        { ...fresh, name: 'g' },
      ],
    },
    answer: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      container: { id: 'c_1', later },
      content: [fresh, { type: 'text', text: 'Hi', later }],
      stop_reason: 'brand_new_reason',
      context_management: { applied_edits: [later] },
    },
    events: [
      { type: 'message_start', message: { id: 'msg_1', later } },
      { type: 'content_block_start', index: 0, content_block: fresh },
      { type: 'content_block_delta', index: 0, delta: { type: 'brand_new_delta', later } },
      { type: 'content_block_stop', index: 0 },
      { type: 'brand_new_event', later },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', later },
        usage: { output_tokens: 1 },
      },
      { type: 'message_stop' },
    ],
  },
  gemini: {
    path: '/v1beta/models/gemini-3-pro:generateContent',
    streamPath: '/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse',
    body: {
      contents: [
        {
          role: 'user',
          parts: [
            { fileData: { fileUri: 'gs://a/b', mimeType: 'video/mp4' }, videoMetadata: later },
          ],
        },
        { role: 'model', parts: [{ text: 'So', thoughtSignature: 'sealed', later }, { later }] },
      ],
      tools: [{ urlContext: {} }, { brandNew: later }],
      generationConfig: { thinkingConfig: { thinkingLevel: 'brand_new' }, later },
      later,
    },
    answer: {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [{ text: 'Hi', thoughtSignature: 'sealed' }, { later }],
          },
          finishReason: 'BRAND_NEW',
          urlContextMetadata: later,
        },
      ],
      later,
    },
    events: [
      { candidates: [{ content: { role: 'model', parts: [{ text: 'Hi', later }, { later }] } }] },
      { later, brandNew: true },
      { candidates: [{ finishReason: 'STOP', groundingMetadata: later }], later },
    ],
  },
}

function wireOf(event: JsonObject): string {
  const name = typeof event['type'] === 'string' ? `event: ${event['type']}\n` : ''
  return `${name}data: ${JSON.stringify(event)}\n\n`
}

describe.each(Object.entries(exchanges))('in %s', (dialect, exchange) => {
  it('a question and its answer go through with all that is new in them', async () => {
    room.upstream.behave((response) => sendJson(response, exchange.answer))
    const response = await room.post(exchange.path, exchange.body)
    expect(response.status).toBe(200)
    expect(room.upstream.calls.at(-1)?.body).toMatchObject(exchange.body)
    expect(await response.json()).toMatchObject(exchange.answer)
    // Their upstream told no usage.
    expect((await room.lastRow()).prompt_tokens).toBeGreaterThan(0)
  })

  it('a stream goes through with all its events', async () => {
    room.upstream.behave((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(
        exchange.events.map(wireOf).join('') +
          (dialect === 'openai-chat' ? 'data: [DONE]\n\n' : ''),
      )
    })
    const stream = exchange.streamPath === undefined ? { stream: true } : {}
    const response = await room.post(exchange.streamPath ?? exchange.path, {
      ...exchange.body,
      ...stream,
    })
    const text = await response.text()
    for (const event of exchange.events) expect(text).toContain(JSON.stringify(event))
  })
})
