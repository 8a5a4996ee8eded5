// An upstream says of which answer it speaks; nothing that it says there may cost more than the answer.
import { describe, expect, it } from 'vitest'
import type { ChatDialect } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import { codecs } from '../index.ts'
import { answerMeta } from '../../../test/harness/answer-meta.ts'

const meta = answerMeta({ includeUsage: false })
const writers = Object.keys(codecs) as ChatDialect[]
const impossible = [1e308, 50_000_000, -5, 0.5, '1', null, {}]

function expectOneAnswer(events: ChatEvent[]): void {
  for (const dialect of writers) {
    const whole = JSON.stringify(codecs[dialect].writeAnswer(events, meta))
    const writer = codecs[dialect].streamWriter(meta)
    const wire = events.map((event) => writer.write(event)).join('') + writer.end()
    for (const answer of [whole, wire]) {
      expect(answer).toContain('Hello')
      expect(answer.length).toBeLessThan(10_000)
    }
  }
}

describe.each(impossible)('an answer of the number %j', (index) => {
  it('is the first, from OpenAI', () => {
    const message = { role: 'assistant', content: 'Hello' }
    const choices = [{ index, message, finish_reason: 'stop' }]
    expectOneAnswer(codecs['openai-chat'].parseAnswer({ choices }))
  })

  it('is the first, from Google', () => {
    const candidates = [{ index, content: { parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }]
    expectOneAnswer(codecs.gemini.parseAnswer({ candidates }))
  })

  it('is the first, from a reader of somebody else’s', () => {
    const choice = index as number
    expectOneAnswer([
      { type: 'start' },
      { type: 'text', delta: 'Hello', choice },
      { type: 'finish', reason: 'stop', choice },
    ])
  })
})

it('keeps the answers of a list of prompts apart', () => {
  const choices = [0, 300].map((index) => ({
    index,
    message: { role: 'assistant', content: `Hello ${index}` },
    finish_reason: 'stop',
  }))
  const events = codecs['openai-chat'].parseAnswer({ choices })
  const answer = codecs['openai-chat'].writeAnswer(events, meta)
  expect(answer.choices).toHaveLength(301)
})
