import { expect, it } from 'vitest'
import { AppError } from '../../contract/errors.ts'
import { readJson } from './read-json.ts'

function refusalOf(text: string): AppError {
  try {
    readJson(Buffer.from(text))
  } catch (error) {
    if (error instanceof AppError) return error
  }
  throw new Error('it was read')
}

it('names the place of a fault in both languages, and none of what stands there', () => {
  const refusal = refusalOf('{"name":"secret" x}')
  expect(refusal.messageIn('en')).toBe(
    'The request body is not valid JSON: the fault is at position 17 (line 1 column 18).',
  )
  expect(refusal.messageIn('zh')).toBe(
    '请求体不是合法的 JSON：错误位于第 17 个字符之后（第 1 行第 18 列）。',
  )
})

it('says that a text ends too early', () => {
  const refusal = refusalOf('{"name":')
  expect(refusal.messageIn('zh')).toBe('请求体不是合法的 JSON：内容不完整或不是 JSON。')
})
