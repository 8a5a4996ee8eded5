import { describe, expect, it } from 'vitest'
import { describeMismatches, matchSubset, resolvePointer } from './match.ts'

interface Row {
  actual: unknown
  expected: unknown
}

describe('the subset match of the fixtures', () => {
  it.each<Row>([
    { actual: { a: 1, b: 2 }, expected: { a: 1 } },
    { actual: [1, 2], expected: [1, 2] },
    { actual: 1.0, expected: 1 },
    { actual: -0, expected: 0 },
    { actual: { a: null }, expected: { a: null } },
    { actual: { a: 'x' }, expected: { a: { $any: true } } },
    { actual: { a: null }, expected: { a: { $any: true } } },
    { actual: {}, expected: { a: { $absent: true } } },
    { actual: 3, expected: { $type: 'integer' } },
    { actual: 3.5, expected: { $type: 'number' } },
    { actual: [], expected: { $type: 'array' } },
    { actual: null, expected: { $type: 'null' } },
    { actual: 'call_ä1', expected: { $regex: '^call_.1$' } },
    { actual: 'rate limit', expected: { $contains: 'limit' } },
    { actual: '{"a":1,"b":2}', expected: { $json: { a: 1 } } },
    { actual: '{"a":1}', expected: { $jsonEq: { a: 1 } } },
    { actual: { a: [1] }, expected: { $eq: { a: [1] } } },
    { actual: 5, expected: { $gte: 5 } },
    { actual: '😀', expected: { $len: 2 } },
    { actual: [{ a: 1 }, { b: 2, c: 3 }], expected: { $has: { b: 2 } } },
    { actual: 'b', expected: { $oneOf: ['a', { $regex: 'b' }] } },
  ])('accepts $actual for $expected', ({ actual, expected }) => {
    expect(matchSubset(actual, expected)).toEqual([])
  })

  it.each<Row>([
    { actual: { a: 1 }, expected: { b: 1 } },
    { actual: { a: undefined }, expected: { a: null } },
    { actual: {}, expected: { a: null } },
    { actual: {}, expected: { a: { $any: true } } },
    { actual: { a: null }, expected: { a: { $absent: true } } },
    { actual: [1, 2, 3], expected: [1, 2] },
    { actual: [1], expected: [1, 2] },
    { actual: '1', expected: 1 },
    { actual: 1, expected: true },
    { actual: { 0: 'a' }, expected: ['a'] },
    { actual: ['a'], expected: { 0: 'a' } },
    { actual: null, expected: { $type: 'object' } },
    { actual: 1.5, expected: { $type: 'integer' } },
    { actual: 7, expected: { $regex: '7' } },
    { actual: 'Limit', expected: { $contains: 'limit' } },
    { actual: '{', expected: { $json: {} } },
    { actual: '{"a":1,"b":2}', expected: { $jsonEq: { a: 1 } } },
    { actual: { a: 1, b: 2 }, expected: { $eq: { a: 1 } } },
    { actual: '5', expected: { $gte: 5 } },
    { actual: [1], expected: { $len: 2 } },
    { actual: [], expected: { $has: 1 } },
    { actual: 'c', expected: { $oneOf: ['a', 'b'] } },
    { actual: 'x', expected: { $unknown: 1 } },
    { actual: { toString: undefined }, expected: { toString: { $any: true } } },
  ])('refuses $actual for $expected', ({ actual, expected }) => {
    expect(matchSubset(actual, expected)).toHaveLength(1)
  })

  it('names the place of each difference', () => {
    const actual = { choices: [{ message: { content: 'b' } }], 'a/b': 2 }
    const expected = { choices: [{ message: { content: 'a' } }], 'a/b': 1, id: 'x' }
    expect(describeMismatches(matchSubset(actual, expected))).toEqual([
      '/choices/0/message/content expected "a", got "b"',
      '/a~1b expected 1, got 2',
      '/id is missing, expected "x"',
    ])
  })

  it('resolves JSON pointers, escapes included, and nothing inherited', () => {
    const value = { a: [{ 'b/c': 1 }], '~': null }
    expect(resolvePointer(value, '/a/0/b~1c')).toBe(1)
    expect(resolvePointer(value, '/~0')).toBe(null)
    expect(resolvePointer(value, '/a/1')).toBe(undefined)
    expect(resolvePointer(value, '/constructor')).toBe(undefined)
  })
})
