import { describe, expect, it } from 'vitest'
import { realtimeTokens } from '../../../billing/counting/audio-tokens.ts'
import type { JsonObject } from '../../../contract/json.ts'
import { openaiRealtime } from './openai-realtime.ts'

/** A second of sound at 24 000 samples of two bytes. */
const second = 'A'.repeat(64_000)
const append = { type: 'input_audio_buffer.append', audio: second }
const clear = { type: 'input_audio_buffer.clear' }
const cleared = { type: 'input_audio_buffer.cleared' }
const committed = { type: 'input_audio_buffer.committed', item_id: 'i' }
const heard = { type: 'conversation.item.input_audio_transcription.completed', usage: {} }

/** The tokens of sound in the prompt of an answer for which the upstream counts none. */
function promptAfter(frames: readonly JsonObject[]): number | undefined {
  const meter = openaiRealtime.meter('gpt-realtime')
  for (const frame of frames)
    if (frame === append || frame === clear) meter.sent(frame)
    else meter.received(frame)
  meter.received({ type: 'response.created' })
  meter.received({ type: 'response.output_text.delta', delta: 'Hello' })
  const ended = meter.received({ type: 'response.done', response: { usage: { output_tokens: 9 } } })
  return ended?.due?.inputAudio
}

describe('sound where the upstream counts no prompt', () => {
  it.each([
    ['all that was sent, where nothing else is told', [append, append], 2],
    ['what was taken over', [append, committed, append], 1],
    ['not what was thrown away', [append, append, clear, cleared, append, committed], 1],
    ['what came after the wish to throw away', [append, clear, append, cleared, committed], 1],
    ['what the upstream had taken over before that wish', [append, clear, committed, cleared], 1],
    ['all of it, where no upstream answers that wish', [append, clear], 1],
  ])('counts %s', (_title, frames, seconds) => {
    expect(promptAfter(frames)).toBe(realtimeTokens({ input: seconds, output: 0 }).input)
  })

  it('counts it for the next answer, where it was taken over after this one', () => {
    const meter = openaiRealtime.meter('gpt-realtime')
    const answer = (): number | undefined => {
      meter.received({ type: 'response.created' })
      meter.received({ type: 'response.output_text.delta', delta: 'Hello' })
      return meter.received({ type: 'response.done', response: { usage: { output_tokens: 9 } } })
        ?.due?.inputAudio
    }
    meter.sent(append)
    meter.received(committed)
    meter.sent(append)
    const first = answer()
    meter.received(committed)
    expect(first).toBeGreaterThan(0)
    expect(answer()).toBe(first)
  })

  it('transcribes nothing that was thrown away', () => {
    const meter = openaiRealtime.meter('gpt-realtime')
    for (const frame of [append, append, clear]) meter.sent(frame)
    meter.received(cleared)
    meter.sent(append)
    expect(meter.received(heard)?.due?.toolCalls).toEqual({ input_transcription: 1 })
  })
})
