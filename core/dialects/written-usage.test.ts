// What clients read of the tokens of an answer that came in another dialect: SDKs and agents add these up.
import { describe, expect, it } from 'vitest'
import { answerMeta } from '../../test/harness/answer-meta.ts'
import type { ChatDialect } from '../contract/dialect.ts'
import type { JsonObject } from '../contract/json.ts'
import type { ChatEvent, Usage } from '../contract/neutral.ts'
import { codecs } from './index.ts'
import { usageOf } from './neutral/usage.ts'

const plain = usageOf({ input: 3, output: 2 })
const full = usageOf({
  input: 1000,
  cacheRead: 100,
  cacheWrite5m: 50,
  cacheWrite1h: 20,
  inputAudio: 30,
  inputImage: 40,
  output: 300,
  reasoning: 60,
  outputAudio: 10,
  outputImage: 20,
  toolCalls: { web_search: 2, web_fetch: 2 },
})

const eventsWith = (usage: Usage): ChatEvent[] => [
  { type: 'start' },
  { type: 'text', delta: 'Hi' },
  { type: 'usage', usage },
  { type: 'finish', reason: 'stop' },
]

function written(dialect: ChatDialect, usage: Usage): unknown {
  const answer: JsonObject = codecs[dialect].writeAnswer(eventsWith(usage), answerMeta())
  return answer.usage ?? answer.usageMetadata
}

describe('usage with nothing special', () => {
  it.each<[ChatDialect, object]>([
    [
      'openai-chat',
      {
        prompt_tokens: 3,
        completion_tokens: 2,
        total_tokens: 5,
        prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
        completion_tokens_details: {
          reasoning_tokens: 0,
          audio_tokens: 0,
          accepted_prediction_tokens: 0,
          rejected_prediction_tokens: 0,
        },
      },
    ],
    [
      'openai-responses',
      {
        input_tokens: 3,
        input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        output_tokens: 2,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 5,
      },
    ],
    [
      'anthropic-messages',
      {
        input_tokens: 3,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
        output_tokens: 2,
        output_tokens_details: null,
        server_tool_use: null,
        service_tier: null,
        inference_geo: null,
        speed: null,
      },
    ],
    [
      'gemini',
      {
        promptTokenCount: 3,
        candidatesTokenCount: 2,
        totalTokenCount: 5,
        promptTokensDetails: [{ modality: 'TEXT', tokenCount: 3 }],
      },
    ],
  ])('is written for %s clients', (dialect, expected) => {
    expect(written(dialect, plain)).toEqual(expected)
  })
})

describe('usage of every kind', () => {
  it.each<[ChatDialect, object]>([
    [
      'openai-chat',
      {
        prompt_tokens: 1000,
        completion_tokens: 300,
        total_tokens: 1300,
        prompt_tokens_details: {
          cached_tokens: 100,
          audio_tokens: 30,
          image_tokens: 40,
          cache_write_tokens: 70,
          cached_creation_tokens: 70,
        },
        completion_tokens_details: { reasoning_tokens: 60, audio_tokens: 10, image_tokens: 20 },
      },
    ],
    [
      'openai-responses',
      {
        input_tokens: 1000,
        input_tokens_details: { cached_tokens: 100, cache_write_tokens: 70 },
        output_tokens: 300,
        output_tokens_details: { reasoning_tokens: 60 },
        total_tokens: 1300,
      },
    ],
    [
      'anthropic-messages',
      {
        input_tokens: 830,
        cache_creation_input_tokens: 70,
        cache_read_input_tokens: 100,
        cache_creation: { ephemeral_5m_input_tokens: 50, ephemeral_1h_input_tokens: 20 },
        output_tokens: 300,
        output_tokens_details: { thinking_tokens: 60 },
        server_tool_use: { web_search_requests: 2, web_fetch_requests: 2 },
      },
    ],
    [
      'gemini',
      {
        promptTokenCount: 1000,
        cachedContentTokenCount: 100,
        candidatesTokenCount: 240,
        thoughtsTokenCount: 60,
        totalTokenCount: 1300,
        promptTokensDetails: [
          { modality: 'TEXT', tokenCount: 930 },
          { modality: 'AUDIO', tokenCount: 30 },
          { modality: 'IMAGE', tokenCount: 40 },
        ],
        candidatesTokensDetails: [
          { modality: 'TEXT', tokenCount: 210 },
          { modality: 'AUDIO', tokenCount: 10 },
          { modality: 'IMAGE', tokenCount: 20 },
        ],
      },
    ],
  ])('is written for %s clients', (dialect, expected) => {
    expect(written(dialect, full)).toMatchObject(expected)
  })

  it('ends a stream for Anthropic clients', () => {
    const writer = codecs['anthropic-messages'].streamWriter(answerMeta())
    const text = eventsWith(full).map((event) => writer.write(event))
    const last = [...text, writer.end()].join('').split('event: message_delta\ndata: ')[1] ?? ''
    expect(JSON.parse(last.split('\n')[0] ?? '')).toMatchObject({
      usage: {
        input_tokens: 830,
        cache_creation_input_tokens: 70,
        cache_read_input_tokens: 100,
        output_tokens: 300,
        output_tokens_details: { thinking_tokens: 60 },
        server_tool_use: { web_search_requests: 2, web_fetch_requests: 2 },
      },
    })
  })
})
