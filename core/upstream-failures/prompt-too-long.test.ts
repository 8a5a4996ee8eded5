import { describe, expect, it } from 'vitest'
import { codecs } from '../dialects/index.ts'
import { classifyFailure } from './classify-failure.ts'
import { clientErrorOf } from './client-error.ts'
import { readFailure } from './read-failure-body.ts'

function shown(status: number, error: object) {
  const failure = readFailure(status, { error })
  return clientErrorOf(failure, classifyFailure(failure), { requestId: 'r' })
}

describe('a prompt that is longer than the model takes', () => {
  it.each([
    ['Anthropic', 'prompt is too long: 215000 tokens > 200000 maximum'],
    [
      'Anthropic with its answer',
      'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again',
    ],
    ['Bedrock', 'Input is too long for requested model.'],
    [
      'Gemini',
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    ],
    [
      'DeepSeek',
      "This model's maximum context length is 65536 tokens. However, you requested 75958 tokens",
    ],
    ['OpenAI', 'Your input exceeds the context window of this model.'],
    ['xAI', "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
    ['Moonshot', 'Invalid request: Your request exceeded model token limit: 131072'],
    ['llama.cpp', 'the request exceeds the available context size, try increasing it'],
  ])('is told to OpenAI clients by its code, whoever refused it (%s)', (_title, message) => {
    const error = shown(400, { message, code: null })
    expect(codecs['openai-chat'].writeError(error)).toMatchObject({
      error: { code: 'context_length_exceeded', type: 'invalid_request_error' },
    })
    expect(codecs['openai-responses'].writeError(error)).toMatchObject({
      error: { code: 'context_length_exceeded' },
    })
  })

  it("is told to Anthropic's clients in the words that they look for, before those of the provider", () => {
    const message = "This model's maximum context length is 128000 tokens."
    const error = shown(400, { message, code: 'context_length_exceeded' })
    expect(codecs['anthropic-messages'].writeError(error)).toMatchObject({
      error: {
        type: 'invalid_request_error',
        message: `prompt is too long: ${message} (request id: r)`,
      },
    })
  })

  it.each([
    'prompt is too long: 215000 tokens > 200000 maximum',
    'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000',
  ])("keeps Anthropic's own words (%s)", (message) => {
    expect(codecs['anthropic-messages'].writeError(shown(400, { message }))).toMatchObject({
      error: { message: `${message} (request id: r)` },
    })
  })

  it.each([
    ['openai-chat', "This model's maximum context length is exceeded: "],
    ['openai-responses', "This model's maximum context length is exceeded: "],
    ['gemini', 'The input token count exceeds the maximum number of tokens allowed: '],
  ] as const)('is told to clients of %s in the words that programs look for', (dialect, words) => {
    const message = 'Input is too long for requested model.'
    expect(codecs[dialect].writeError(shown(400, { message }))).toMatchObject({
      error: { message: `${words}${message} (request id: r)` },
    })
  })

  it.each([
    ['Anthropic', 'prompt is too long: 140000 tokens > 128000 maximum'],
    [
      'OpenAI',
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 140000 tokens. Please reduce the length of the messages.",
    ],
    [
      'DeepSeek',
      "This model's maximum context length is 128000 tokens. However, you requested 140000 tokens (139000 in the messages, 1000 in the completion).",
    ],
    [
      'vLLM',
      "This model's maximum context length is 128000 tokens. However, your prompt contains 140000 input tokens.",
    ],
    [
      'Gemini',
      'The input token count (140000) exceeds the maximum number of tokens allowed (128000).',
    ],
    ['xAI', "This model's maximum prompt length is 128000 but the request contains 140000 tokens."],
    ['llama.cpp', 'request (140000 tokens) exceeds the available context size (128000 tokens)'],
  ])('carries both numbers into the words of each dialect (%s)', (_title, message) => {
    const error = shown(400, { message })
    const words = {
      'openai-chat': /maximum context length is 128000 tokens\D+140000 (?:input )?tokens/,
      'anthropic-messages': /prompt is too long: 140000 tokens > 128000 maximum/,
      gemini:
        /input token count \(140000\) exceeds the maximum number of tokens allowed \(128000\)/,
    }
    for (const dialect of ['openai-chat', 'anthropic-messages', 'gemini'] as const) {
      expect(codecs[dialect].writeError(error)).toMatchObject({
        error: { message: expect.stringMatching(words[dialect]) },
      })
    }
  })

  it.each([
    ['openai-chat', "This model's maximum context length is 128000 tokens."],
    ['openai-chat', 'Input tokens exceed the configured limit of 272000 tokens.'],
    ['openai-responses', 'Your input exceeds the context window of this model.'],
    ['gemini', 'The input token count (9) exceeds the maximum number of tokens allowed (8).'],
  ] as const)("keeps the words of %s's own provider: %s", (dialect, message) => {
    const code = 'context_length_exceeded'
    expect(codecs[dialect].writeError(shown(400, { message, code }))).toMatchObject({
      error: { message: `${message} (request id: r)` },
    })
  })

  it.each([
    [400, 'The field "context" is not known.'],
    [429, 'Your tier: maximum context length is 10 for now, try again in 2s'],
    [500, 'maximum context length'],
  ])('is not what a %i says in words like these: %s', (status, message) => {
    const error = shown(status, { message })
    expect(error.isPromptTooLong).toBeUndefined()
    expect(error.code).not.toBe('context_length_exceeded')
  })
})
