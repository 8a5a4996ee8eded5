// How Anthropic's clients learn that an answer is a refusal, not the JSON that they asked for.
import { expect, it } from 'vitest'
import type { ChatEvent, FinishReason } from '../../contract/neutral.ts'
import { codecs } from '../index.ts'
import { answerMeta } from '../../../test/harness/answer-meta.ts'

const meta = answerMeta()

function reasons(...events: ChatEvent[]): unknown[] {
  const { writeAnswer, streamWriter } = codecs['anthropic-messages']
  const writer = streamWriter(meta)
  const streamed = events.map((event) => writer.write(event)).join('') + writer.end()
  const found =
    /"stop_reason":"(\w+)","stop_sequence":null,"stop_details":(\{"type":"\w+"|null)/.exec(streamed)
  const whole = writeAnswer(events, meta)
  expect(found?.[1]).toBe(whole['stop_reason'])
  expect(found?.[2] !== 'null').toBe(whole['stop_details'] !== null)
  expect(whole['content']).toEqual([{ type: 'text', text: 'No.' }])
  return [whole['stop_reason'], whole['stop_details'] !== null]
}

const finish = (reason: FinishReason): ChatEvent => ({ type: 'finish', reason })

it('is a refusal where the model said so in a part of its own', () => {
  const refusal: ChatEvent = { type: 'refusal', delta: 'No.' }
  expect(reasons(refusal, finish('stop'))).toEqual(['refusal', true])
  expect(reasons(refusal, finish('length'))).toEqual(['max_tokens', false])
  expect(reasons({ type: 'text', delta: 'No.' }, finish('stop'))).toEqual(['end_turn', false])
})
