import { describe, expect, it } from 'vitest'
import { processorTime } from '../../test/harness/clock.ts'
import { FieldNames, JsonMeter, measureJson } from './json-bounds.ts'

/** Whole, and as it comes in pieces that end anywhere; both must say the same. */
function faultOfJson(text: string): string | undefined {
  const { fault, members } = measureJson(text)
  const size = text.length < 10_000 ? 1 : 65_537
  const meter = new JsonMeter(new FieldNames())
  let inPieces: string | undefined
  for (let at = 0; at < text.length && inPieces === undefined; at += size)
    inPieces = meter.take(text.slice(at, at + size))
  expect(inPieces).toBe(fault)
  if (fault === undefined) expect(meter.members).toBe(members)
  return fault
}

const fieldsOf = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, 1]))
/** Names are told apart by a digest of 32 bits, so one of so many may be taken for another. */
const tooManyNames = 50_020
/** Objects of 100 fields each, all of them known by name, in ever other rows. */
const inOtherRows = (objects: number) =>
  `[${Array.from({ length: objects }, (_, row) => {
    const fields = Array.from(
      { length: 100 },
      (_, at) => `"k${(at * ((row % 97) + 1) + row) % 997}":1`,
    )
    return `{${fields.join()}}`
  }).join()}]`
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

describe('the bounds of a JSON text', () => {
  it.each([
    { what: 'brackets inside a string', text: JSON.stringify({ a: '['.repeat(1_000) }) },
    { what: 'commas inside a string', text: JSON.stringify([','.repeat(1_000_000)]) },
    { what: 'escaped quotes', text: JSON.stringify({ a: '"['.repeat(1_000) }) },
    { what: 'backslashes before quotes', text: JSON.stringify(['\\', '\\\\"[', '["', '\\"']) },
    { what: 'a string without an end', text: `"${'['.repeat(1_000)}` },
    { what: '128 levels', text: deep(128) },
    { what: 'as many lists beside each other', text: `[${Array(1_000).fill('[]').join()}]` },
    {
      what: 'many objects of the same fields',
      text: `[${Array(60_000).fill('{"a":":","b":1}').join()}]`,
    },
    { what: '50 000 names', text: JSON.stringify(fieldsOf(50_000)) },
    { what: '400 objects in other rows', text: inOtherRows(400) },
    {
      what: '4 000 objects of 100 same fields',
      text: JSON.stringify(Array(4_000).fill(fieldsOf(100))),
    },
    { what: '300 000 numbers', text: `[${Array(300_000).fill('0').join()}]` },
  ])('hold $what', ({ text }) => expect(faultOfJson(text)).toBeUndefined())

  it.each([
    { what: '129 levels', text: deep(129), fault: 'nested' },
    { what: 'levels of both kinds', text: '[{"a":'.repeat(65), fault: 'nested' },
    {
      what: 'levels after a string of backslashes',
      text: `["\\\\",${deep(128)}]`,
      fault: 'nested',
    },
    { what: 'a million numbers', text: `[${Array(1_000_000).fill('0').join()}]`, fault: 'values' },
    {
      what: 'more than 50 000 names',
      text: `[${JSON.stringify(fieldsOf(tooManyNames)).slice(1, -1).replaceAll(/[^,]+/g, '{$&}')}]`,
      fault: 'different names',
    },
    { what: '50 001 fields', text: JSON.stringify(fieldsOf(50_001)), fault: '1000 fields' },
    {
      what: 'large objects of the same fields',
      text: JSON.stringify(Array(10).fill(fieldsOf(49_000))),
      fault: '1000 fields',
    },
    { what: '1 000 objects in other rows', text: inOtherRows(1_000), fault: 'rows of names' },
    { what: 'a million lists', text: `[${'[],'.repeat(1_000_000)}[]]`, fault: 'values' },
  ])('refuse $what', ({ text, fault }) => expect(faultOfJson(text)).toContain(fault))

  it('are found in a text of backslashes and quotes in one pass', () => {
    const spentMs = processorTime()
    expect(measureJson(`["${'\\'.repeat(8_000_000)}"`).fault).toBeUndefined()
    expect(measureJson(`["${'\\"'.repeat(4_000_000)}"]`).fault).toBeUndefined()
    expect(spentMs()).toBeLessThan(2_000)
  })
})
