import { describe, expect, it } from 'vitest'
import { measureJson } from './json-bounds.ts'

const faultOfJson = (text: string) => measureJson(text).fault

const fieldsOf = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, 1]))
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
      what: '50 001 names',
      text: `[${JSON.stringify(fieldsOf(50_001)).slice(1, -1).replaceAll(/[^,]+/g, '{$&}')}]`,
      fault: 'different names',
    },
    { what: '50 001 fields', text: JSON.stringify(fieldsOf(50_001)), fault: '1000 fields' },
    {
      what: 'large objects of the same fields',
      text: JSON.stringify(Array(10).fill(fieldsOf(49_000))),
      fault: '1000 fields',
    },
    { what: 'a million lists', text: `[${'[],'.repeat(1_000_000)}[]]`, fault: 'values' },
  ])('refuse $what', ({ text, fault }) => expect(faultOfJson(text)).toContain(fault))

  it('are found in a text of backslashes and quotes in one pass', () => {
    const startedAt = performance.now()
    expect(faultOfJson(`["${'\\'.repeat(8_000_000)}"`)).toBeUndefined()
    expect(faultOfJson(`["${'\\"'.repeat(4_000_000)}"]`)).toBeUndefined()
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })
})
