import { describe, expect, it } from 'vitest'
import type { ChatEvent } from '../../contract/neutral.ts'
import { noUsage, usageOf } from '../../dialects/neutral/usage.ts'
import { isOutput, UsageTally } from './usage-tally.ts'

const words = 'one two three four five'
const WORDS_TOKENS = 5

function tallyOf(...reports: { output: number; reasoning?: number }[]): UsageTally {
  const tally = new UsageTally('gpt-4o', () => 7)
  tally.see({ type: 'text', delta: words })
  for (const report of reports)
    tally.see({ type: 'usage', usage: usageOf({ input: 100, ...report }) })
  return tally
}

describe('an answer that came to its end', () => {
  it('costs what its upstream reported last', () => {
    for (const output of [WORDS_TOKENS - 1, WORDS_TOKENS + 1, 100])
      expect(tallyOf({ output: 1 }, { output }).complete()).toEqual(usageOf({ input: 100, output }))
  })

  it('costs our count where nothing was reported, or nothing but zeros and tools', () => {
    const counted = { ...noUsage, input: 7, output: WORDS_TOKENS, isEstimated: true }
    const tally = tallyOf()
    expect(tally.complete()).toEqual(counted)
    tally.see({ type: 'usage', usage: usageOf({}) })
    expect(tally.complete()).toEqual(counted)
    tally.see({ type: 'usage', usage: usageOf({ toolCalls: { web_search: 1 } }) })
    expect(tally.complete()).toEqual({ ...counted, toolCalls: { web_search: 1 } })
  })

  it('costs nothing where nothing came, and the prompt where it was empty', () => {
    const tally = new UsageTally('gpt-4o', () => 7)
    tally.see({ type: 'start' })
    expect(tally.hasOutput).toBe(false)
    expect(tally.complete()).toEqual(noUsage)
    tally.see({ type: 'usage', usage: usageOf({}) })
    expect(tally.complete()).toEqual(noUsage)
    tally.see({ type: 'finish', reason: 'stop', native: 'end_turn' })
    expect(tally.hasOutput).toBe(true)
    expect(tally).toMatchObject({ finish: 'stop', nativeFinish: 'end_turn' })
    expect(tally.complete()).toEqual({ ...noUsage, input: 7, isEstimated: true })
  })

  it('costs our count of words that its upstream has not counted at all', () => {
    const counted = { input: 100, output: WORDS_TOKENS, isEstimated: true }
    expect(tallyOf({ output: 0 }).complete()).toMatchObject(counted)
    const silent = new UsageTally('gpt-4o', () => 7)
    silent.see({ type: 'usage', usage: usageOf({ input: 100 }) })
    expect(silent.complete()).toEqual(usageOf({ input: 100 }))
  })

  it('costs what was left to be read later, read once, unless something newer came', () => {
    let reads = 0
    const later = () => {
      reads += 1
      return usageOf({ input: 100, output: 8 })
    }
    const tally = tallyOf({ output: 6 })
    tally.seeLater(() => undefined)
    expect(tally.complete().output).toBe(6)
    tally.seeLater(later)
    expect([tally.complete().output, tally.complete().output, reads]).toEqual([8, 8, 1])
    tally.seeLater(later)
    tally.see({ type: 'usage', usage: usageOf({ input: 100, output: 9 }) })
    expect([tally.complete().output, reads]).toEqual([9, 1])
  })

  it.each([
    { echoes: 1, tries: 1, output: WORDS_TOKENS - 2 },
    { echoes: 2, tries: 1, output: WORDS_TOKENS - 4 },
    { echoes: 9, tries: 1, output: 0 },
    { echoes: 0, tries: 3, output: WORDS_TOKENS * 3 },
    { echoes: 1, tries: 1.5, output: 5 },
  ])('counts no prompt that it repeats, and all tries: %j', ({ output, ...form }) => {
    const tally = new UsageTally('gpt-4o', () => 2, form)
    tally.see({ type: 'text', delta: words })
    expect(tally.complete()).toMatchObject({ input: 2, output })
  })
})

it.each<[ChatEvent, boolean]>([
  [{ type: 'text', delta: 'a' }, true],
  [{ type: 'text', delta: '' }, false],
  [{ type: 'reasoning', delta: 'a' }, true],
  [{ type: 'refusal', delta: '' }, false],
  [{ type: 'tool_start', index: 0, id: 'i', name: 'n' }, true],
  [{ type: 'tool_args', index: 0, delta: '' }, true],
  [{ type: 'image', mediaType: 'image/png', data: 'AA==' }, true],
  [{ type: 'audio', delta: {} }, true],
  [{ type: 'finish', reason: 'stop' }, true],
  [{ type: 'reasoning_state', state: { owner: 'gemini', data: 'x' } }, false],
  [{ type: 'reasoning_state', state: { owner: 'gemini', data: 'x' }, redacted: true }, true],
  [{ type: 'start' }, false],
  [{ type: 'usage', usage: noUsage }, false],
])('what a client would call an answer: %j %s', (event, expected) => {
  expect(isOutput(event)).toBe(expected)
})

describe('an answer that breaks off', () => {
  it('costs what its upstream reported where that was the end of it', () => {
    const tally = tallyOf({ output: 6 })
    expect(tally.delivered()).toMatchObject({ output: 6, isEstimated: true })
    tally.see({ type: 'finish', reason: 'stop' })
    expect(tally.delivered()).toEqual(usageOf({ input: 100, output: 6 }))
  })

  it('costs what its upstream had counted by then, thoughts included', () => {
    const tally = tallyOf({ output: 300, reasoning: 299 }, { output: 905, reasoning: 900 })
    expect(tally.delivered()).toMatchObject({ input: 100, output: 905, reasoning: 900 })
  })

  it('costs our count where the upstream had counted less', () => {
    expect(tallyOf({ output: 1 }).delivered()).toMatchObject({
      input: 100,
      output: WORDS_TOKENS,
      reasoning: 0,
      isEstimated: true,
    })
    expect(tallyOf().delivered()).toMatchObject({ input: 7, output: WORDS_TOKENS })
  })

  it('costs a client that had left what had arrived until then', () => {
    const tally = tallyOf({ output: 300, reasoning: 290 })
    tally.clientLeft()
    tally.see({ type: 'usage', usage: usageOf({ input: 100, output: 9000, reasoning: 8000 }) })
    expect(tally.delivered()).toMatchObject({ output: 300, reasoning: 290 })
  })
})

describe('an answer whose upstream counts no prompt', () => {
  const text = 'The quick brown fox jumps over the lazy dog. '.repeat(40)
  const tally = (output: number, toolCalls?: Record<string, number>) => {
    const made = new UsageTally('gpt-4o', () => 7)
    made.see({ type: 'text', delta: text })
    const usage = usageOf({ input: 0, output, ...(toolCalls ? { toolCalls } : {}) })
    made.see({ type: 'usage', usage })
    return made
  }

  it('is no more believed to be short than one with a prompt', () => {
    const { input, output, isEstimated } = tally(1).complete()
    expect({ input, isEstimated }).toEqual({ input: 7, isEstimated: true })
    expect(output).toBeGreaterThan(300)
    expect(tally(500).complete()).toMatchObject({ input: 7, output: 500, isEstimated: true })
  })

  it('costs the prompt and the tools, too, where it breaks off', () => {
    const ended = tally(500, { web_search: 2 })
    expect(ended.delivered()).toMatchObject({ input: 7, output: 500, toolCalls: { web_search: 2 } })
    ended.see({ type: 'finish', reason: 'stop' })
    expect(ended.delivered()).toMatchObject({ input: 7, output: 500, toolCalls: { web_search: 2 } })
  })
})
