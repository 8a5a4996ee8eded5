import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorTime } from '../../../test/harness/clock.ts'
import { PatternLineFault, readPatterns } from './own-patterns.ts'
import { PatternMachine } from './pattern-machine.ts'

const found = (source: string, text: string) =>
  new PatternMachine(source).find(text).map(({ start, end }) => text.slice(start, end))

describe('patterns of the operator', () => {
  it.each([
    ['EMP-\\d{6}', 'EMP-123456, EMP-12', ['EMP-123456']],
    ['(?:ab|a)c?', 'abc ac a', ['abc', 'ac', 'a']],
    ['[^\\s,]+@corp', 'x, me@corp!', ['me@corp']],
    ['[a-c0-9_-]{2,3}', 'ab-9 z', ['ab-9']],
    ['x*y', 'xxxy y x', ['xxxy', 'y']],
    ['客户\\d+号', '这是客户42号。', ['客户42号']],
    ['a.c', 'abc a\nc', ['abc']],
    ['\\.\\[\\]', 'a.[]', ['.[]']],
    ['\\d{3}', '12345 12', ['12345']],
    ['[]a]', 'a', null],
    ['(a', '', null],
    ['a)', '', null],
    ['a**', '', null],
    ['*a', '', null],
    ['a*?', '', null],
    ['a*', '', null],
    ['', '', null],
    ['^a', '', null],
    ['(?=a)b', '', null],
    ['(?<n>a)', '', null],
    ['(a)\\1', '', null],
    ['\\bA', '', null],
    ['a{65}', '', null],
    ['a{3,2}', '', null],
    ['[z-a]', '', null],
    ['(a{64}){64}', '', null],
    ['a'.repeat(201), '', null],
    ['('.repeat(40) + 'a' + ')'.repeat(40), '', null],
    ['a\\', '', null],
  ])('%s', (source, text, wanted) => {
    if (wanted === null) expect(() => new PatternMachine(source)).toThrow(Error)
    else expect(found(source, text)).toEqual(wanted)
  })

  it('cover what the engine of the language matches anywhere', () => {
    const sources = [
      'a+b',
      '(a|b)c',
      'ab?c*d',
      '[ab]{2,3}c',
      'a(bc|b)+d',
      '(?:a|ab)(?:c|bcd)',
    ] as const
    const literals = [
      /a+b/y,
      /(a|b)c/y,
      /ab?c*d/y,
      /[ab]{2,3}c/y,
      /a(bc|b)+d/y,
      /(?:a|ab)(?:c|bcd)/y,
    ]
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd') })
    fc.assert(
      fc.property(fc.nat(sources.length - 1), texts, (which, text) => {
        const spans = new PatternMachine(sources[which] ?? '').find(text)
        const literal = literals[which] as RegExp
        for (let at = 0; at < text.length; at += 1) {
          literal.lastIndex = at
          const [match] = literal.exec(text) ?? []
          if (match === undefined) continue
          const isCovered = spans.some(({ start, end }) => start <= at && at + match.length <= end)
          expect(isCovered, `${sources[which]} in ${text} at ${at}`).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    '(a+)+b',
    '(a|a)*b',
    '(a|aa)+$x',
    'a*a*a*a*a*b',
    '([a-z]+)*=1',
    'a{1,64}b',
    'a|a{1,64}b',
  ])('take one pass, where others would try for ever: %s', (source) => {
    const plain = source.replace('$', '')
    const spentMs = processorTime()
    new PatternMachine(plain).find('a'.repeat(262_144))
    expect(spentMs()).toBeLessThan(10_000)
  })

  it('are named, one a line, and a fault tells its line', () => {
    expect(readPatterns('STAFF=EMP-\\d{6}\n\n x=1 ').map(({ name }) => name)).toEqual([
      'STAFF',
      'CUSTOM',
    ])
    expect(() => readPatterns('a\n(b')).toThrow(PatternLineFault)
    expect(() => readPatterns('a\n'.repeat(21))).toThrow(/20/)
    expect(() => readPatterns('a\n(?=b)')).toThrow(
      expect.objectContaining({
        text: {
          en: expect.stringMatching(/^Line 2: /) as string,
          zh: expect.stringMatching(/^第 2 行：/) as string,
        },
      }),
    )
  })
})
