import { afterEach, describe, expect, it, vi } from 'vitest'
import { readObject } from './read-input.ts'

const namesOf = (count: number) => Array.from({ length: count }, (_, index) => `"name${index}":0`)
const objectOf = (count: number) => `{${namesOf(count).join()}}`

function faultOf(text: string): unknown {
  try {
    return readObject(Buffer.from(text))
  } catch (fault) {
    return fault
  }
}

afterEach(() => void vi.restoreAllMocks())

describe('a key that a body says twice', () => {
  it.each([
    ['in the body itself', '{"model":"a","n":1,"model":"b"}', 'model'],
    [
      'in an object of a list',
      '{"model":"a","tools":[{"type":1},{"type":1,"b":{},"type":2}]}',
      'type',
    ],
    ['with a letter escaped', '{"model":"a","m\\u006fdel":"b"}', 'model'],
    ['behind text that looks like it', '{"a":"\\"a\\":1","b":"a","n":1,"n":2}', 'n'],
  ])('is refused by its name: %s', (_what, text, field) => {
    expect(faultOf(text)).toMatchObject({ status: 400, field })
  })

  it('is looked for without parsing each of them', () => {
    const objects = Array(400).fill(objectOf(1000)).join()
    const parse = vi.spyOn(JSON, 'parse')
    const fault = faultOf(`{"model":"a","input":[${objects},{"n":1,"n":2}]}`)
    expect(fault).toMatchObject({ status: 400, field: 'n' })
    expect(parse).toHaveBeenCalledTimes(1)
  })
})

it('parses no body whose large objects say the same names again and again', () => {
  const parse = vi.spyOn(JSON, 'parse')
  const fault = faultOf(`{"model":"a","input":[${Array(10).fill(objectOf(49_000)).join()}]}`)
  expect(fault).toMatchObject({ status: 400, code: 'request.malformed_json' })
  expect(parse).not.toHaveBeenCalled()
})
