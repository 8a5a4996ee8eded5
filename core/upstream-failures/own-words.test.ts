import { expect, it } from 'vitest'
import { ownWords } from './own-words.ts'

it.each([
  ["Input tag 'no money' found using 'type', see the docs", 'Input tag  , see the docs'],
  ["Input tag 'a' no money 'b' found", 'Input tag   found'],
  ['Invalid value "a" no money "b".', 'Invalid value  .'],
  ["You don't: no money, can't", "You don't: no money, can't"],
  ["The users' quota isn't enough", "The users' quota isn't enough"],
  ['参数「没有余额」不正确', '参数 不正确'],
  ['A lone " mark', 'A lone " mark'],
  ["'", "'"],
])('%j says itself %j', (message, own) => {
  expect(ownWords(message)).toBe(own)
})
