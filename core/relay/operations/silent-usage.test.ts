// Upstreams that count no output although something came: the output is counted here, and the receipt says so.
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
  customer: 'reader',
  isAnew: true,
})

const text = 'one two three four five six seven eight nine ten'
const TEXT_TOKENS = 10
const INPUT = 7

async function billedRow(path: string, body: object) {
  const response = await room.post(path, body)
  expect(response.status).toBe(200)
  await response.text()
  return room.lastRow()
}

async function billed(path: string, body: object): Promise<{ output: number; facts: object }> {
  const row = await billedRow(path, body)
  expect(row).toMatchObject({ prompt_tokens: INPUT })
  return {
    output: Number(row['completion_tokens'] ?? -1),
    facts: JSON.parse(row.other) as object,
  }
}

const openaiUsage = { prompt_tokens: INPUT, completion_tokens: 0, total_tokens: INPUT }
const call = { id: 'call_1', type: 'function', function: { name: 'look_up', arguments: '{"a":1}' } }
const messages = [{ role: 'user', content: 'Hi' }]

function chatAnswer(message: object) {
  return { choices: [{ index: 0, message, finish_reason: 'stop' }], usage: openaiUsage }
}

function chunks(delta: object) {
  const chunk = (more: object) => ({
    id: 'c',
    object: 'chat.completion.chunk',
    model: 'm',
    ...more,
  })
  return [
    chunk({ choices: [{ index: 0, delta, finish_reason: 'stop' }] }),
    chunk({ choices: [], usage: openaiUsage }),
    'data: [DONE]\n\n',
  ]
}

const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
const stream = { stream: true }

describe('an answer whose upstream counts no prompt', () => {
  it.each([0, -7, 1e300, '7'])('is charged for it by our count, and marked: %j', async (count) => {
    const usage = { prompt_tokens: count, completion_tokens: 3 }
    room.upstream.behave((response) =>
      sendJson(response, { ...chatAnswer({ content: text }), usage }),
    )
    const asked = [{ role: 'user', content: 'word '.repeat(1000) }]
    const row = await billedRow('/v1/chat/completions', { model: 'm', messages: asked })
    expect(row).toMatchObject({ completion_tokens: 3 })
    expect(Number(row['prompt_tokens'])).toBeGreaterThanOrEqual(1000)
    expect(JSON.parse(row.other)).toMatchObject({ estimated: true })
  })
})

describe('an answer whose upstream counts 0 output', () => {
  it.each<[path: string, body: object, answer: object | unknown[], least: number]>([
    ['/v1/chat/completions', { model: 'm', messages }, chatAnswer({ content: text }), TEXT_TOKENS],
    ['/v1/chat/completions', { model: 'm', messages }, chatAnswer({ tool_calls: [call] }), 3],
    [
      '/v1/chat/completions',
      { model: 'm', messages },
      chatAnswer({ content: '', reasoning_content: text }),
      TEXT_TOKENS,
    ],
    ['/v1/chat/completions', { model: 'm', messages, ...stream }, chunks({ content: text }), 10],
    ['/v1/messages', { model: 'm', messages, max_tokens: 9 }, chatAnswer({ content: text }), 10],
    [
      '/v1/messages',
      { model: 'c', messages, max_tokens: 9 },
      claudeAnswer(text, INPUT, 0),
      TEXT_TOKENS,
    ],
    ['/v1/responses', { model: 'm', input: 'Hi' }, responsesAnswer(text, INPUT, 0), TEXT_TOKENS],
    [
      '/v1/responses/compact',
      { model: 'm', input: 'Hi' },
      responsesAnswer(text, INPUT, 0),
      TEXT_TOKENS,
    ],
    ['/v1beta/models/g:generateContent', { contents }, geminiAnswer(text, INPUT, 0), TEXT_TOKENS],
    [
      '/v1/completions',
      { model: 'm', prompt: 'Hi' },
      { choices: [{ index: 0, text, finish_reason: 'stop' }], usage: openaiUsage },
      TEXT_TOKENS,
    ],
  ])('is charged by our count, and marked: POST %s %j', async (path, body, answer, least) => {
    room.upstream.behave((response) => {
      if (!Array.isArray(answer)) return sendJson(response, answer)
      writeEvents(response, answer)
      return void response.end()
    })
    const { output, facts } = await billed(path, body)
    expect(output).toBeGreaterThanOrEqual(least)
    expect(facts).toMatchObject({ estimated: true })
  })

  it('is believed where nothing came', async () => {
    room.upstream.behave((response) => sendJson(response, chatAnswer({ content: '' })))
    const { output } = await billed('/v1/chat/completions', { model: 'm', messages })
    expect(output).toBe(0)
  })
})
