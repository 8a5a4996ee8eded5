import { expect, it } from 'vitest'
import { realtimeTokens } from '../../../billing/counting/audio-tokens.ts'
import { noUsage } from '../../../dialects/neutral/usage.ts'
import { ConversationCount } from './conversation-count.ts'

function spoken(): ConversationCount {
  const count = new ConversationCount('gpt-realtime', realtimeTokens)
  count.addInput({ seconds: 6 })
  count.addOutput({ text: 'Good morning' })
  return count
}

it('counts the prompt of an answer whose upstream counts none', () => {
  expect(spoken().answer({ ...noUsage, output: 20, outputAudio: 15 })).toMatchObject({
    input: 167,
    inputAudio: 167,
    output: 20,
    outputAudio: 15,
    isEstimated: true,
  })
})

it('believes an upstream that counts both, or nothing at all', () => {
  const reported = { ...noUsage, input: 30, output: 20 }
  expect(spoken().answer(reported)).toEqual(reported)
  const silent = new ConversationCount('gpt-realtime', realtimeTokens)
  expect(silent.answer(noUsage)).toEqual(noUsage)
})
