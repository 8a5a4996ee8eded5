import { Type } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { AppError } from '../contract/errors.ts'
import { compileValidator } from '../http/validation.ts'
import { decodeOption } from './options/option-codec.ts'

const wanted = Type.Object({
  count: Type.Integer({ minimum: 1, maximum: 9 }),
  name: Type.Optional(Type.String({ minLength: 2, maxLength: 3 })),
})

describe('what is wrong with a value', () => {
  it.each([
    { body: {}, en: 'count: is required', zh: 'count：为必填项' },
    { body: { count: 1.5 }, en: 'count: must be integer', zh: 'count：必须是整数' },
    { body: { count: 0 }, en: 'count: must be >= 1', zh: 'count：不能小于 1' },
    { body: { count: 10 }, en: 'count: must be <= 9', zh: 'count：不能大于 9' },
    {
      body: { count: 1, name: 'abcd' },
      en: 'name: must NOT have more than 3 characters',
      zh: 'name：不能超过 3 个字符',
    },
    { body: 5, en: 'body: must be object', zh: 'body：必须是对象' },
  ])('of a body is said in both languages: $en', ({ body, en, zh }) => {
    const validate = compileValidator({
      schema: wanted,
      method: 'POST',
      url: '/',
      httpPart: 'body',
    })
    const { error } = validate(body) as { error?: unknown }
    expect(inBoth(error)).toEqual({ en, zh })
  })

  it.each([
    { schema: Type.Integer({ minimum: 1 }), wire: '0', zh: 'Key 无效：不能小于 1' },
    { schema: Type.Integer(), wire: '1.5', zh: 'Key 无效：必须是整数' },
    { schema: Type.Number({ exclusiveMinimum: 0 }), wire: '0', zh: 'Key 无效：必须大于 0' },
    { schema: Type.Number(), wire: 'abc', zh: 'Key 无效：必须是数字' },
    { schema: Type.String({ maxLength: 2 }), wire: 'abc', zh: 'Key 无效：不能超过 2 个字符' },
    {
      schema: Type.Array(Type.String()),
      wire: '{',
      zh: 'Key 无效：不是合法的 JSON 字符串：第 1 行第 2 列',
    },
    { schema: Type.Array(Type.String()), wire: '5', zh: 'Key 无效：必须是数组' },
    {
      schema: Type.Record(Type.String(), Type.Number({ minimum: 0 })),
      wire: '{"gpt-4o":-1}',
      zh: 'Key 无效：gpt-4o: 不能小于 0',
    },
    {
      schema: Type.Record(Type.String(), Type.Tuple([Type.Integer(), Type.Integer()])),
      wire: '{"vip":[1]}',
      zh: 'Key 无效：vip: 必须正好有 2 项',
    },
  ])('of an option is said in Chinese too: $zh', ({ schema, wire, zh }) => {
    expect(inBoth(faultOf(() => decodeOption('Key', wire, schema)))).toMatchObject({ zh })
  })
})

function faultOf(run: () => unknown): unknown {
  try {
    run()
  } catch (fault) {
    return fault
  }
  throw new Error('nothing was refused')
}

function inBoth(fault: unknown): { en: string; zh: string } {
  if (!(fault instanceof AppError)) throw new Error('no refusal')
  return { en: fault.messageIn('en'), zh: fault.messageIn('zh') }
}
