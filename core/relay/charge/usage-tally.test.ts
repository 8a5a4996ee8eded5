import { describe, expect, it } from 'vitest'
import { usageOf } from '../../dialects/neutral/usage.ts'
import { UsageTally } from './usage-tally.ts'

const words = 'one two three four five'
const WORDS_TOKENS = 5

function tallyOf(...reports: { output: number; reasoning?: number }[]): UsageTally {
  const tally = new UsageTally('gpt-4o', () => 7)
  tally.see({ type: 'text', delta: words })
  for (const report of reports)
    tally.see({ type: 'usage', usage: usageOf({ input: 100, ...report }) })
  return tally
}

describe('an answer that breaks off', () => {
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
    expect(tally(500).complete()).toMatchObject({ input: 7, output: 500 })
  })

  it('costs the prompt and the tools, too, where it breaks off', () => {
    const ended = tally(500, { web_search: 2 })
    expect(ended.delivered()).toMatchObject({ input: 7, output: 500, toolCalls: { web_search: 2 } })
    ended.see({ type: 'finish', reason: 'stop' })
    expect(ended.delivered()).toMatchObject({ input: 7, output: 500, toolCalls: { web_search: 2 } })
  })
})
