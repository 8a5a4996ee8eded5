import { Type } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { compileAtOnce, compileValidator } from './validation.ts'

const route = { method: 'POST', url: '/', httpPart: 'body' }
const broken = Type.Unsafe({ type: 'object', properties: { name: { type: 'no such type' } } })

describe('the schema of a route', () => {
  it('is compiled for its first call, and told to be broken by that', () => {
    const validate = compileValidator({ ...route, schema: broken })
    expect(() => validate({})).toThrow(/no such type|type must be/)
  })

  it('is told to be broken at once where it comes from outside', () => {
    expect(() => compileAtOnce({ ...route, schema: broken })).toThrow(/no such type|type must be/)
  })

  it('reads text as numbers in an address and not in a body, whichever is compiled first', () => {
    const schema = Type.Object({ page: Type.Integer() })
    const read = (httpPart: string) =>
      compileValidator({ ...route, httpPart, schema })({ page: '7' })
    expect(read('querystring')).toEqual({ value: { page: 7 } })
    expect(read('body')).toMatchObject({ error: { code: 'request.invalid_field' } })
    expect(compileAtOnce({ ...route, schema })({ page: 7 })).toEqual({ value: { page: 7 } })
  })

  it('may say by true or false that anything or nothing is right', () => {
    const of = (schema: boolean) => compileAtOnce({ ...route, schema: schema as never })
    expect(of(true)({ page: 7 })).toEqual({ value: { page: 7 } })
    expect(of(false)({ page: 7 })).toMatchObject({ error: { code: 'request.invalid_field' } })
  })
})
