// What a conversion has no place for does not go away in silence.
import { describe, expect, it } from 'vitest'
import { relayRoom, sendJson } from '#test'
import type { ChatDialect } from '../../../contract/dialect.ts'
import type { JsonObject } from '../../../contract/json.ts'
import { codecs } from '../../../dialects/index.ts'
import { foreignFields } from './foreign-fields.ts'

const messages = [{ role: 'user', content: 'Hi' }]
const contents = [{ parts: [{ text: 'Hi' }] }]
const least: Record<ChatDialect, JsonObject> = {
  'openai-chat': { model: 'm', messages },
  'openai-responses': { model: 'm', input: 'Hi' },
  'anthropic-messages': { model: 'm', max_tokens: 9, messages },
  gemini: { model: 'm', contents },
}

describe('the fields that a parser does not know', () => {
  it.each(Object.keys(least) as ChatDialect[])('are none that it reads, in %s', (dialect) => {
    const read = new Set<string>()
    const body = new Proxy(least[dialect], {
      get: (fields, name) => {
        if (typeof name === 'string') read.add(name)
        return Reflect.get(fields, name) as unknown
      },
    })
    codecs[dialect].parseRequest(body, {})
    expect([...read]).not.toEqual([])
    const all = Object.fromEntries([...read].map((name) => [name, {}]))
    expect(foreignFields(dialect, all)).toEqual([])
  })

  it('are named in either spelling of Google, also inside its config', () => {
    const body = {
      contents,
      system_instruction: { parts: [] },
      generation_config: {
        max_output_tokens: 9,
        media_resolution: 'LOW',
        speechConfig: { languageCode: 'de' },
      },
      toolCall: 1,
    }
    expect(foreignFields('gemini', body)).toEqual([
      'toolCall',
      'mediaResolution',
      'speechConfig.languageCode',
    ])
  })

  it('are named with their list where they stand in messages and tools', () => {
    const tool = { name: 'f', input_schema: { type: 'object' }, defer_loading: true }
    const claude = { ...least['anthropic-messages'], tools: [tool, tool] }
    expect(foreignFields('anthropic-messages', claude)).toEqual(['tools.defer_loading'])
    const said = { role: 'assistant', content: 'Hi', audio: { id: 'a' }, annotations: [] }
    const named = { role: 'system', name: 'boss', content: 'Be kind.' }
    const chat = { model: 'm', messages: [named, said] }
    expect(foreignFields('openai-chat', chat)).toEqual(['messages.audio', 'messages.name'])
    const note = { role: 'assistant', phase: 'commentary', content: 'Hi' }
    expect(foreignFields('openai-responses', { model: 'm', input: [note] })).toEqual([
      'input.phase',
    ])
    const video = { file_data: { file_uri: 'u' }, video_metadata: { fps: 1 } }
    const early = { function_response: { name: 'f', response: {}, will_continue: true } }
    const parts = { contents: [{ parts: [video, early] }], toolConfig: { retrievalConfig: {} } }
    expect(foreignFields('gemini', parts)).toEqual([
      'parts.videoMetadata',
      'functionResponse.willContinue',
      'toolConfig.retrievalConfig',
    ])
  })

  it('are named where they stand in a file or in Google’s search', () => {
    const file = (detail: string) => ({ type: 'input_file', file_id: 'f', detail })
    const asked = (detail: string) => ({ input: [{ role: 'user', content: [file(detail)] }] })
    expect(foreignFields('openai-responses', asked('low'))).toEqual(['content.detail'])
    expect(foreignFields('openai-responses', asked('auto'))).toEqual([])
    const recent = { start_time: '2026-01-01T00:00:00Z', end_time: '2026-02-01T00:00:00Z' }
    const tools = [{ google_search: { time_range_filter: recent } }]
    expect(foreignFields('gemini', { contents, tools })).toEqual(['googleSearch.timeRangeFilter'])
  })

  it.each<[ChatDialect, JsonObject, string[]]>([
    [
      'openai-chat',
      {
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'Hi', prompt_cache_breakpoint: {} }] },
        ],
        reasoning: { effort: 'low', mode: 'pro' },
      },
      ['content.prompt_cache_breakpoint', 'reasoning.mode'],
    ],
    [
      'openai-responses',
      {
        input: [
          {
            role: 'assistant',
            content: [
              { type: 'output_text', text: 'So.', annotations: [{}], logprobs: [] },
              { type: 'output_text', text: 'So.', annotations: [] },
            ],
          },
        ],
        reasoning: { summary: 'auto', context: 'all_turns' },
      },
      ['content.annotations', 'reasoning.context'],
    ],
    [
      'anthropic-messages',
      {
        messages: [
          {
            role: 'assistant',
            content: [
              { type: 'text', text: 'So.', citations: [{ type: 'page_location' }] },
              { type: 'text', text: 'So.', citations: null },
              { type: 'tool_use', id: 't', name: 'f', input: {}, caller: { type: 'direct' } },
            ],
          },
          {
            role: 'user',
            content: [{ type: 'image', source: {}, transformations: [{}] }],
          },
        ],
        output_config: { effort: 'low', task_budget: { total: 9 } },
      },
      ['content.citations', 'content.transformations', 'output_config.task_budget'],
    ],
  ])(
    'are named where they stand in the parts of a message or in a wish: %s',
    (dialect, body, named) => {
      expect(foreignFields(dialect, body)).toEqual(named)
    },
  )

  it('are no wishes where they say nothing, and not many', () => {
    const body: JsonObject = { model: 'm', input: 'Hi', truncation: 'disabled', context: null }
    expect(foreignFields('openai-responses', body)).toEqual([])
    for (let at = 0; at < 50; at += 1) body[`field_${at}`] = at
    body['no name\n'] = 1
    expect(foreignFields('openai-responses', body)).toHaveLength(20)
  })
})

describe('the row of a call', () => {
  const room = relayRoom({
    channels: [{ models: 'm-chat' }, { models: 'claude-sonnet-4-5', type: 14 }],
    priced: ['m-chat', 'claude-sonnet-4-5'],
    customer: 'wisher',
  })
  const dropped = async () => {
    const { other } = await room.lastRow()
    return (JSON.parse(other) as { dropped_params?: string[] }).dropped_params
  }

  it('names what its conversion left out, and nothing where the upstream got it', async () => {
    const prediction = { type: 'content', content: 'Hi' }
    const answer = { role: 'assistant', content: 'Hi' }
    room.upstream.behave((response, { path }) =>
      sendJson(
        response,
        path.endsWith('/messages')
          ? {
              id: 'msg_1',
              type: 'message',
              role: 'assistant',
              model: 'm',
              content: [{ type: 'text', text: 'Hi' }],
              stop_reason: 'end_turn',
              usage: { input_tokens: 1, output_tokens: 1 },
            }
          : {
              id: 'c',
              object: 'chat.completion',
              created: 1,
              model: 'm',
              choices: [{ index: 0, message: answer, finish_reason: 'stop' }],
              usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
            },
      ),
    )
    const ask = (model: string) =>
      room.post('/v1/chat/completions', { model, messages, prediction })
    expect((await ask('claude-sonnet-4-5')).status).toBe(200)
    expect(await dropped()).toEqual(['prediction'])
    expect((await ask('m-chat')).status).toBe(200)
    expect(room.upstream.calls.at(-1)?.body).toMatchObject({ prediction })
    expect(await dropped()).toBeUndefined()
  })

  it.each(['m-chat', 'claude-sonnet-4-5'])(
    'names files and sound of an answer before, which %s cannot be sent, and none of its pictures',
    async (model) => {
      const shown = ['application/pdf', 'audio/wav', 'image/png'].map((mimeType) => ({
        inlineData: { mimeType, data: 'cGl4ZWw=' },
      }))
      const asked = { role: 'user', parts: [{ text: 'Hi' }] }
      const answer = await room.post(`/v1beta/models/${model}:generateContent`, {
        contents: [asked, { role: 'model', parts: shown }, asked],
      })
      expect(answer.status).toBe(200)
      expect(await dropped()).toEqual(['file', 'input_audio'])
      expect(room.upstream.calls.at(-1)?.sent).toContain('![image](data:image/png;base64,cGl4ZWw=)')
    },
  )

  it('tells that a system message in the middle has lost its place', async () => {
    const late = { role: 'system', content: 'Be kind.' }
    for (const [order, expected] of [
      [[...messages, late], true],
      [[late, ...messages], undefined],
    ] as const) {
      const body = { model: 'claude-sonnet-4-5', messages: order }
      expect((await room.post('/v1/chat/completions', body)).status).toBe(200)
      const other = JSON.parse((await room.lastRow()).other) as { hoisted_system?: boolean }
      expect(other.hoisted_system).toBe(expected)
    }
  })
})
