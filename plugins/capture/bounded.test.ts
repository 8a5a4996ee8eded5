import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bounded } from './bounded.ts'

describe('what is kept of a long body', () => {
  it('is all of a short one', () => {
    const body = { a: [1, 'two', null, { b: true }], c: '' }
    expect(bounded(body, 1_000)).toMatchObject({ value: body, isCut: false })
  })

  it('says in its place what was left out', () => {
    expect(bounded('x'.repeat(100), 10).value).toBe(`${'x'.repeat(10)}[cut: 90 characters]`)
    expect(bounded(['a'.repeat(20), 1, 2, 3], 10)).toMatchObject({
      value: ['aaaaaaaaaa[cut: 10 characters]', '[cut: 3 entries]'],
      isCut: true,
    })
    expect(bounded({ a: 'x'.repeat(20), b: 1, c: 2 }, 10).value).toMatchObject({
      '…': '[cut: 2 fields]',
    })
    const deep = JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`) as unknown
    expect(JSON.stringify(bounded(deep, 1_000).value)).toContain('[cut: what lies deeper]')
  })

  it('keeps fields by names that mean something to JavaScript', () => {
    const body = JSON.parse('{"__proto__":{"a":1}}') as object
    expect(JSON.stringify(bounded(body, 1_000).value)).toBe('{"__proto__":{"a":1}}')
  })

  it('is never much longer than its bound, and never cut without a word', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(200), (value, most) => {
        const { value: kept, isCut } = bounded(value, most)
        const text = JSON.stringify(kept)
        expect(isCut).toBe(text.includes('[cut: '))
        if (!isCut) expect(kept).toEqual(value)
      }),
    )
    const long = { list: Array.from({ length: 200_000 }, () => ['x'.repeat(10)]) }
    expect(JSON.stringify(bounded(long, 1_000).value).length).toBeLessThan(3_000)
  })
})
