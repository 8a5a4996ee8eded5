import { describe, expect, it } from 'vitest'
import { processorTime } from '../../test/harness/clock.ts'
import { boundedJson, hidesTooMuch } from './bounded-json.ts'
import { parseLoosely } from './parse-loosely.ts'

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const many = (text: string, times: number) => `[${`${text},`.repeat(times)}1]`
const logprobs = many('{"token":"a","logprob":-0.1,"bytes":[97]}', 200_000)
/** As in completions: for each of 4000 tokens, twenty others as names. */
const wordsAsNames = JSON.stringify(
  Array.from({ length: 4_000 }, (_, at) =>
    Object.fromEntries(Array.from({ length: 20 }, (__, rank) => [`t${at * 31 + rank * 977}`, -1])),
  ),
)

function bestTime(read: () => void): number {
  const times = Array.from({ length: 7 }, () => {
    const elapsed = processorTime()
    read()
    return elapsed()
  })
  return Math.min(...times)
}

describe('JSON of an upstream', () => {
  it.each([
    { what: 'a short text, however deep', text: deep(1_000) },
    {
      what: 'vectors of three million numbers',
      text: many(`[${'0.1234,'.repeat(3_071)}1]`, 1_000),
    },
    { what: 'likely words', text: logprobs },
    { what: 'likely words that are names of fields', text: wordsAsNames },
    { what: 'a picture', text: JSON.stringify({ b64_json: 'A'.repeat(8_000_000) }) },
    {
      what: 'a long text that begins like JSON',
      text: JSON.stringify(`[${'x, '.repeat(500_000)}`),
    },
  ])('may be $what', ({ text }) => {
    expect(JSON.stringify(boundedJson(text))).toBe(JSON.stringify(JSON.parse(text)))
  })

  const arguments_ = JSON.stringify({ arguments: ` ${deep(600_000)}` })
  it.each([
    { what: 'nested without end', text: deep(2_000_000) },
    { what: 'millions of lists', text: many('[]', 3_000_000) },
    {
      what: 'a million names',
      text: `{${Array.from({ length: 1_000_000 }, (_, at) => `"k${at}":1`).join()}}`,
    },
    { what: 'nested in the arguments of a call', text: arguments_ },
    { what: 'in many texts', text: many(JSON.stringify(deep(1_000)), 1_000) },
  ])('is not read if it is $what', ({ text }) => {
    const elapsed = processorTime()
    expect(() => boundedJson(text)).toThrow('not read')
    expect(parseLoosely(text)).toBe(text)
    expect(elapsed()).toBeLessThan(1_500)
  })

  it('takes less than twice as long as parsing where it is a list of vectors', () => {
    const text = many(`[${'0.0123456789,'.repeat(3_071)}1]`, 300)
    expect(bestTime(() => boundedJson(text))).toBeLessThan(
      2 * bestTime(() => JSON.parse(text) as unknown),
    )
  })

  it('is measured where escapes could hide what its texts hold', () => {
    const hidden = `{"arguments":"[${'\\u005b'.repeat(600_000)}"}`
    expect(() => boundedJson(hidden)).toThrow('not read')
  })

  it('hides nothing in texts that are no JSON, or in numbers', () => {
    expect(hidesTooMuch({ text: `x${'['.repeat(1_000_000)}` })).toBe(false)
    expect(hidesTooMuch([1, null, true, { a: [2] }])).toBe(false)
  })
})
