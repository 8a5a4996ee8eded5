// A client that must name a limit (Claude's) names that of its own model; others refuse more than they can write ("max_tokens is too
// large: 64000. This model supports at most 16384 completion tokens").
import { expect, it } from 'vitest'
import type { ChatDialect } from '../contract/dialect.ts'
import type { JsonObject } from '../contract/json.ts'
import { codecs } from './index.ts'

function asked(dialect: ChatDialect, upstreamModel: string, limit: number): JsonObject {
  const chat = { model: 'm', max_tokens: limit, messages: [{ role: 'user', content: 'hi' }] }
  const from = dialect === 'anthropic-messages' ? 'openai-chat' : 'anthropic-messages'
  const request = codecs[from].parseRequest(chat, {})
  const target = { upstreamModel, dropped: [], option: () => undefined as never }
  return codecs[dialect].buildRequest(request, target)
}

it.each([
  ['gpt-4o', 16_384],
  ['openai/gpt-4o-mini-2024-07-18', 16_384],
  ['gpt-4.1-mini', 32_768],
  ['gpt-4-turbo', 4096],
  ['gpt-3.5-turbo', 4096],
  // Not OpenAI's, or not known.
  ['deepseek-chat', 200_000],
  ['gpt-oss-120b', 200_000],
  ['gpt-7', 200_000],
])('asks %s for at most %d tokens', (model, most) => {
  expect(asked('openai-chat', model, 200_000)).toMatchObject({
    [model === 'gpt-7' ? 'max_completion_tokens' : 'max_tokens']: most,
  })
  const name = model === 'gpt-7' ? 'max_completion_tokens' : 'max_tokens'
  expect(asked('openai-chat', model, 100)).toMatchObject({ [name]: 100 })
})

it.each([
  ['gpt-5.4', 128_000],
  ['o4-mini', 100_000],
  ['gpt-4o', 16_384],
])('asks %s in Responses for at most %d tokens', (model, most) => {
  expect(asked('openai-responses', model, 200_000)).toMatchObject({ max_output_tokens: most })
})

it.each([
  ['claude-sonnet-4-5', 64_000],
  ['claude-opus-4-1-20250805', 32_000],
  ['us.anthropic.claude-3-5-sonnet-20241022-v2:0', 8192],
  ['claude-of-tomorrow', 200_000],
])('asks %s for at most %d tokens', (model, most) => {
  expect(asked('anthropic-messages', model, 200_000)).toMatchObject({ max_tokens: most })
})

it.each([
  ['gemini-2.5-flash', 65_536],
  ['gemini-3-pro-preview', 65_536],
  ['gemini-2.0-flash', 8192],
  ['gemma-4-31b-it', 200_000],
])('asks %s for at most %d tokens', (model, most) => {
  expect(asked('gemini', model, 200_000)).toMatchObject({
    generationConfig: { maxOutputTokens: most },
  })
})
