// Why a Gemini answer ended, as clients of the other dialects read it.
import { expect, it } from 'vitest'
import { codecs } from '../index.ts'
import { answerMeta } from '../../../test/harness/answer-meta.ts'

const meta = answerMeta()

function finishes(finishReason: string): unknown[] {
  const candidates = [{ content: { role: 'model', parts: [] }, finishReason, index: 0 }]
  const events = codecs.gemini.parseAnswer({ candidates })
  const chat = codecs['openai-chat'].writeAnswer(events, meta)
  const message = codecs['anthropic-messages'].writeAnswer(events, meta)
  const response = codecs['openai-responses'].writeAnswer(events, meta)
  const [choice] = chat['choices'] as Record<string, unknown>[]
  const { reason } = (response['incomplete_details'] ?? {}) as { reason?: string }
  return [choice?.['finish_reason'], message['stop_reason'], reason]
}

it.each(['MODEL_ARMOR', 'ESCALATION', 'PUP_LIMITED_DISABLED', 'PROHIBITED_CONTENT'])(
  'tells of an answer that was withheld: %s',
  (reason) => {
    expect(finishes(reason)).toEqual(['content_filter', 'refusal', 'content_filter'])
  },
)

it('tells of an answer that goes on in another call as one that was cut', () => {
  expect(finishes('CONTINUATION')).toEqual(['length', 'max_tokens', 'max_output_tokens'])
})

it('tells of calls only in the answer that makes them', () => {
  const call = { functionCall: { name: 'look', args: {} } }
  const candidates = [[call], [{ text: 'no need' }]].map((parts, index) => ({
    content: { role: 'model', parts },
    finishReason: 'STOP',
    index,
  }))
  const chat = codecs['openai-chat'].writeAnswer(codecs.gemini.parseAnswer({ candidates }), meta)
  expect(chat['choices']).toMatchObject([
    { finish_reason: 'tool_calls' },
    { finish_reason: 'stop' },
  ])
})
