// Upstreams whose count cannot be one for what they gave, and calls whose form hides what they cost.
import { describe, expect, it } from 'vitest'
import { relayRoom, sendJson, writeEvents } from '#test'
import {
  claudeAnswer,
  geminiAnswer,
  responsesAnswer,
} from '../../../test/harness/upstreams/whole-answers.ts'

const room = relayRoom({
  channels: [{ models: 'm' }, { models: 'c', type: 14 }, { models: 'g', type: 24 }],
  priced: ['m', 'c', 'g'],
  customer: 'doubter',
  isAnew: true,
})

const WORDS = 800
const text = 'word '.repeat(WORDS)
const INPUT = 7

async function billed(path: string, body: object) {
  const response = await room.post(path, body)
  expect(response.status).toBe(200)
  await response.text()
  const row = await room.lastRow()
  return {
    input: Number(row['prompt_tokens'] ?? -1),
    output: Number(row['completion_tokens'] ?? -1),
    facts: JSON.parse(row.other) as Record<string, unknown>,
  }
}

const messages = [{ role: 'user', content: 'Hi' }]
const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]

function openaiUsage(output: number, more: object = {}) {
  return { prompt_tokens: INPUT, completion_tokens: output, total_tokens: INPUT + output, ...more }
}

function chatAnswer(message: object, usage: object | undefined) {
  return { choices: [{ index: 0, message, finish_reason: 'stop' }], usage }
}

function textAnswer(words: string, usage: object | undefined) {
  return { choices: [{ index: 0, text: words, finish_reason: 'stop' }], usage }
}

const chunk = (more: object) => ({ id: 'c', object: 'chat.completion.chunk', model: 'm', ...more })
const chunks = [
  chunk({ choices: [{ index: 0, delta: { content: text }, finish_reason: 'stop' }] }),
  chunk({ choices: [], usage: openaiUsage(1) }),
  'data: [DONE]\n\n',
]
const call = {
  id: 'call_1',
  type: 'function',
  function: { name: 'write', arguments: JSON.stringify({ text }) },
}

function answerWith(answer: object | unknown[]) {
  room.upstream.behave((response) => {
    if (!Array.isArray(answer)) return sendJson(response, answer)
    writeEvents(response, answer)
    return void response.end()
  })
}

describe('an answer whose upstream counts next to no output', () => {
  it.each<[path: string, body: object, answer: object | unknown[]]>([
    [
      '/v1/chat/completions',
      { model: 'm', messages },
      chatAnswer({ content: text }, openaiUsage(1)),
    ],
    [
      '/v1/chat/completions',
      { model: 'm', messages },
      chatAnswer({ tool_calls: [call] }, openaiUsage(3)),
    ],
    ['/v1/chat/completions', { model: 'm', messages, stream: true }, chunks],
    ['/v1/messages', { model: 'c', messages, max_tokens: 9 }, claudeAnswer(text, INPUT, 1)],
    ['/v1/responses', { model: 'm', input: 'Hi' }, responsesAnswer(text, INPUT, 1)],
    ['/v1/responses/compact', { model: 'm', input: 'Hi' }, responsesAnswer(text, INPUT, 1)],
    ['/v1beta/models/g:generateContent', { contents }, geminiAnswer(text, INPUT, 1)],
    ['/v1/completions', { model: 'm', prompt: 'Hi' }, textAnswer(text, openaiUsage(1))],
  ])('is charged by our count, and marked: POST %s %j', async (path, body, answer) => {
    answerWith(answer)
    const { input, output, facts } = await billed(path, body)
    expect(input).toBe(INPUT)
    expect(output).toBeGreaterThanOrEqual(WORDS)
    expect(facts).toMatchObject({ estimated: true })
  })

  it.each<[what: string, answer: object, output: number]>([
    ['a tenth and more', chatAnswer({ content: text }, openaiUsage(90)), 90],
    ['short texts', chatAnswer({ content: 'word '.repeat(90) }, openaiUsage(1)), 1],
    [
      'reasoning that is counted beside it',
      chatAnswer(
        { content: '', reasoning_content: text },
        openaiUsage(2, { completion_tokens_details: { reasoning_tokens: 800 } }),
      ),
      2,
    ],
    ['a line of one character', chatAnswer({ content: '='.repeat(4000) }, openaiUsage(60)), 60],
    [
      'a prompt that mostly came from a cache',
      chatAnswer(
        { content: 'word' },
        openaiUsage(1, { prompt_tokens_details: { cached_tokens: INPUT } }),
      ),
      1,
    ],
  ])('is believed for %s', async (_what, answer, tokens) => {
    answerWith(answer)
    const { output, facts } = await billed('/v1/chat/completions', { model: 'm', messages })
    expect(output).toBe(tokens)
    expect(facts['estimated']).toBeUndefined()
  })
})

describe('a call of the older text form', () => {
  it('is believed its count where the answer repeats the prompt', async () => {
    answerWith(textAnswer(`${text}end`, openaiUsage(1)))
    const body = { model: 'm', prompt: text, echo: true, max_tokens: 1 }
    expect((await billed('/v1/completions', body)).output).toBe(1)
    answerWith(textAnswer(text, openaiUsage(0)))
    expect((await billed('/v1/completions', { ...body, max_tokens: 0 })).output).toBe(0)
  })

  it('pays for the answers that were tried, and for the text behind the gap', async () => {
    answerWith(textAnswer('word '.repeat(50), undefined))
    const one = await billed('/v1/completions', { model: 'm', prompt: 'Hi' })
    const best = await billed('/v1/completions', {
      model: 'm',
      prompt: 'Hi',
      suffix: text,
      best_of: 4,
    })
    expect(best.output).toBe(one.output * 4)
    expect(best.input).toBeGreaterThanOrEqual(one.input + WORDS)
  })

  it('names what was lost on the way to an upstream that has chats only', async () => {
    answerWith(claudeAnswer(text, INPUT, 1))
    const fields = { suffix: 'end', echo: true, best_of: 2, logprobs: 3 }
    const { facts } = await billed('/v1/completions', { model: 'c', prompt: 'Hi', ...fields })
    expect(JSON.stringify(facts)).toMatch(/suffix.*echo.*best_of.*logprobs/)
    const plain = { model: 'c', prompt: 'Hi', echo: false, best_of: 1 }
    expect(JSON.stringify((await billed('/v1/completions', plain)).facts)).not.toContain('echo')
  })
})

describe('a cache that is told to hold more than the prompt', () => {
  const cached = { cached_tokens: 5000, cache_write_tokens: 5000 }
  const ofChat = openaiUsage(9, { prompt_tokens_details: cached })
  const responses = (more: object) => ({
    ...responsesAnswer('word', INPUT, 9),
    usage: { input_tokens: INPUT, output_tokens: 9, input_tokens_details: cached, ...more },
  })
  const gemini = {
    ...geminiAnswer('word', INPUT, 9),
    usageMetadata: {
      promptTokenCount: INPUT,
      candidatesTokenCount: 9,
      cachedContentTokenCount: 5000,
    },
  }
  const vectors = { data: [{ index: 0, embedding: [1] }] }
  const writes = { cached_tokens: 3, cache_write_tokens: 5000 }

  it.each<[path: string, body: object, answer: object | unknown[], cached: number]>([
    ['/v1/chat/completions', { model: 'm', messages }, chatAnswer({ content: 'word' }, ofChat), 7],
    [
      '/v1/chat/completions',
      { model: 'm', messages },
      chatAnswer({ content: 'word' }, openaiUsage(9, { prompt_cache_hit_tokens: 5000 })),
      7,
    ],
    [
      '/v1/chat/completions',
      { model: 'm', messages, stream: true },
      [
        chunk({ choices: chatAnswer({}, undefined).choices }),
        chunk({ choices: [], usage: ofChat }),
      ],
      7,
    ],
    ['/v1/messages', { model: 'm', messages, max_tokens: 9 }, chatAnswer({}, ofChat), 7],
    ['/v1/responses', { model: 'm', input: 'Hi' }, responses({}), 7],
    ['/v1/responses', { model: 'm', input: 'Hi' }, responses({ input_tokens_details: writes }), 3],
    ['/v1/responses/compact', { model: 'm', input: 'Hi' }, responses({}), 7],
    ['/v1beta/models/g:generateContent', { contents }, gemini, 7],
    ['/v1/completions', { model: 'm', prompt: 'Hi' }, textAnswer('word', ofChat), 7],
    ['/v1/embeddings', { model: 'm', input: 'Hi' }, { ...vectors, usage: ofChat }, 7],
  ])('is believed up to its length: POST %s %j', async (path, body, answer, tokens) => {
    answerWith(answer)
    const { input, facts } = await billed(path, body)
    const { lines } = facts['receipt'] as { lines: { part: string; count: number }[] }
    expect(input).toBe(INPUT)
    expect(facts['cache_tokens']).toBe(tokens)
    const prompt = lines.filter(({ part }) => part !== 'output')
    expect(prompt.reduce((sum, { count }) => sum + count, 0)).toBe(INPUT)
  })

  it('is told so to clients of other dialects', async () => {
    answerWith(chatAnswer({ content: 'word' }, ofChat))
    const answer = await room.post('/v1/messages', { model: 'm', messages, max_tokens: 9 })
    expect(await answer.json()).toMatchObject({
      usage: { input_tokens: 0, cache_read_input_tokens: INPUT, cache_creation_input_tokens: 0 },
    })
  })
})

describe('an embedding whose upstream tells no usage', () => {
  const answer = { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [1] }] }

  it.each<[what: string, input: unknown, least: number, most: number]>([
    ['an object', { text }, WORDS, WORDS + 10],
    ['an object of other names', { title: 'word', passages: [text] }, WORDS, WORDS + 10],
    ['objects in a list', [{ body: text }, { text }], 2 * WORDS, 2 * WORDS + 10],
    ['a picture', [{ image: 'a'.repeat(100_000) }], 1, 5_000],
  ])('is charged for its input by our count: %s', async (_what, input, least, most) => {
    answerWith(answer)
    const { input: tokens } = await billed('/v1/embeddings', { model: 'm', input })
    expect(tokens).toBeGreaterThanOrEqual(least)
    expect(tokens).toBeLessThanOrEqual(most)
  })
})
