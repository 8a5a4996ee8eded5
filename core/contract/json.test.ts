import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonFaultIn } from './json.ts'

describe('where a text stops being JSON', () => {
  it.each([
    ['a value is missing', '{\n  "a": ,\n  "b": 2\n}', [2, 8]],
    ['a comma is missing', '{\n  "a": 1\n  "b": 2\n}', [3, 3]],
    ['a comma is too many', '{\n  "a": 1,\n}', [3, 1]],
    ['a name is not quoted', '{\n  a: 1\n}', [2, 3]],
    ['a number begins with a point', '{\n  "a": 1,\n  "b": .5\n}', [3, 8]],
    ['a text is not closed', '{\n  "a": "x,\n  "b": 2\n}', [2, 8]],
    ['a word is not known', '[true, none]', [1, 8]],
    ['it is closed by another bracket', '[1}', [1, 3]],
    ['something follows', '{} x', [1, 4]],
    ['it ends too early', '{"a": [1', [1, 9]],
    ['there is nothing', '', [1, 1]],
  ])('%s', (_what, text, [line, column]) => {
    expect(jsonFaultIn(text)).toEqual({ line, column })
  })

  it('finds none in what JSON.parse takes, and one in what it refuses', () => {
    const change = fc.record({
      at: fc.nat(200),
      gone: fc.nat(2),
      put: fc.constantFrom('', ',', ':', '"', '{', ']', '1', '-', 'e', '\\', '\n', 'null'),
    })
    fc.assert(
      fc.property(fc.json(), fc.option(change), (json, changed) => {
        const place = changed ? changed.at % (json.length + 1) : 0
        const text = changed
          ? json.slice(0, place) + changed.put + json.slice(place + changed.gone)
          : json
        expect(jsonFaultIn(text) === undefined).toBe(isJson(text))
      }),
      { numRuns: 3_000 },
    )
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
