import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { processorTime } from '../../../test/harness/clock.ts'
import { realtimeSeconds, realtimeTokens, transcriptionTokens } from './audio-tokens.ts'
import { countTokens, TokenCounter } from './count-tokens.ts'
import { estimateBodyTokens, estimateTokens } from './estimate-tokens.ts'

const prose = 'The quick brown fox jumps over the lazy dog, and then it rests. '

describe('counting text', () => {
  it.each([
    ['', 'gpt-4o', 0],
    ['hello world', 'gpt-4o', 2],
    ['hello world', 'gpt-4', 2],
    ['你好，世界', 'gpt-4o', 3],
    ['你好，世界', 'gpt-4-turbo', 6],
    ['你好，世界', 'gpt-3.5-turbo', 6],
    ['你好，世界', 'text-embedding-3-small', 6],
    ['你好，世界', 'gpt-4.1-mini', 3],
    ['你好，世界', 'some-new-model', 3],
  ])('counts %j for %s as %i', (text, model, tokens) => {
    expect(countTokens(text, model)).toBe(tokens)
  })

  it('takes marks of the encoding for text', () => {
    expect(countTokens('<|endoftext|>', 'gpt-4o')).toBeGreaterThan(1)
  })

  it.each(['a', 'abcdefghij', '=', '\n', '😀', '字'])(
    'counts a run of 60 000 characters of %j in well under a second',
    (piece) => {
      const text = piece.repeat(60_000 / piece.length)
      const spentMs = processorTime()
      expect(countTokens(text, 'gpt-4o')).toBeGreaterThan(400)
      expect(spentMs()).toBeLessThan(1000)
    },
  )

  it('estimates a text of megabytes by samples', () => {
    const exact = countTokens(prose.repeat(900), 'gpt-4o') / 900
    const spentMs = processorTime()
    const estimate = countTokens(prose.repeat(50_000), 'gpt-4o') / 50_000
    expect(spentMs()).toBeLessThan(1000)
    expect(Math.abs(estimate / exact - 1)).toBeLessThan(0.05)
  })
})

describe('counting a stream', () => {
  it('counts the text as a whole, however it was cut', () => {
    const text = prose.repeat(20)
    const counter = new TokenCounter('gpt-4o')
    for (const letter of text) counter.add(letter)
    expect(counter.total()).toBe(countTokens(text, 'gpt-4o'))
    expect(counter.total()).toBe(countTokens(text, 'gpt-4o'))
  })

  it('keeps the text of an open stream, and not the pieces that it came in', () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    collect()
    const before = process.memoryUsage().heapUsed
    const counters = Array.from({ length: 50 }, () => new TokenCounter('gpt-4o'))
    for (let event = 0; event < 500; event += 1)
      for (const counter of counters)
        counter.add(
          `${event} of those that a provider sends ${'around it'.repeat(50)}`.slice(0, 30),
        )
    collect()
    const kilobytes = (process.memoryUsage().heapUsed - before) / 1024 / counters.length
    expect(counters.every(({ chars }) => chars === 15_000)).toBe(true)
    // 15 of text; 280 with the events that the pieces are parts of.
    expect(kilobytes).toBeLessThan(100)
  })

  it('counts reasoning, tool calls and images', () => {
    const counter = new TokenCounter('gpt-4o')
    expect(counter.isEmpty).toBe(true)
    counter.addEvent({ type: 'start' })
    expect(counter.isEmpty).toBe(true)
    counter.addEvent({ type: 'reasoning', delta: 'hello' })
    counter.addEvent({ type: 'text', delta: ' world' })
    counter.addEvent({ type: 'tool_start', index: 0, id: 'a', name: ' lookup' })
    counter.addEvent({ type: 'tool_args', index: 0, delta: '{}' })
    counter.addEvent({ type: 'image', mediaType: 'image/png', data: '' })
    expect(counter.isEmpty).toBe(false)
    expect(counter.total()).toBe(countTokens('hello world lookup{}', 'gpt-4o') + 1400)
  })
})

describe('rough counts', () => {
  it.each([
    ['prose', prose.repeat(20)],
    [
      'code',
      'export function add(left: number, right: number) { return left + right }\n'.repeat(20),
    ],
    ['Chinese', '今天的天气很好，我们去公园散步吧。'.repeat(20)],
  ])('are at least what %s has and at most twice that', (_, text) => {
    const exact = countTokens(text, 'gpt-4o')
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(exact * 0.95)
    expect(estimateTokens(text)).toBeLessThanOrEqual(exact * 2)
  })

  it('look at every string of a body and take data for a picture', () => {
    const image = `data:image/png;base64,${'A'.repeat(1_000_000)}`
    const body = {
      messages: [{ role: 'user', content: [{ text: prose }, { image_url: { url: image } }] }],
    }
    const rough = estimateBodyTokens(body)
    expect(rough).toBeGreaterThan(1000 + countTokens(prose, 'gpt-4o'))
    expect(rough).toBeLessThan(1100)
    expect(estimateBodyTokens({ input: 'A'.repeat(1_000_000) })).toBeLessThan(1100)
  })

  it('survive a body nested a thousand deep', () => {
    let body: unknown = 'x'
    for (let depth = 0; depth < 1000; depth++) body = [body]
    expect(estimateBodyTokens(body)).toBeLessThan(200)
  })
})

describe('tokens of audio', () => {
  it.each([
    [60, 1000],
    [0.2, 17],
    [0, 0],
  ])('counts %d seconds of transcription as %i', (seconds, tokens) => {
    expect(transcriptionTokens(seconds)).toBe(tokens)
  })

  it('counts realtime audio by length', () => {
    expect(realtimeSeconds(48_000, 'pcm16')).toBe(1)
    expect(realtimeSeconds(8000, 'g711_ulaw')).toBe(1)
    expect(realtimeTokens({ input: 60, output: 60 })).toEqual({ input: 1667, output: 833 })
  })
})
