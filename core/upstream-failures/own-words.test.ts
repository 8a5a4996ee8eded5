import { expect, it } from 'vitest'
import { processorTime } from '../../test/harness/clock.ts'
import { ownWords, ownWordsTo } from './own-words.ts'

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

it.each([
  ['no money left: Extra inputs', { 'no money left': 1 }, ' : Extra inputs'],
  ['got no money, want json', { format: [{ type: 'no money' }] }, 'got  , want json'],
  ['没有余额', [{ name: '余额', data: new Uint8Array(3) }], '没有 '],
  ['no money is left', { no: 'is', text: 'no money is left, or is it?' }, 'no money is left'],
  ['no money', undefined, 'no money'],
  ['You are not authorized', { tool_choice: 'auto', text: 'are not' }, 'You   authorized'],
  ['the user has no money', [{ role: 'user', text: 'user has no mon' }], 'the user has no money'],
  // One text of a client must not hide another of which it is a part, nor a mark in it open or close what the upstream quotes.
  ['got no money xxxx', ['xxxx', 'no money xxxx'], 'got  '],
  ['got xxxx no money', ['got xxxx', 'xxxx no money'], ' '],
  ['field "a" got b" no money', ['b" no money'], 'field  '],
  [`got no money${'x'.repeat(2_000)}`, { text: `no money${'x'.repeat(2_000)}` }, 'got  '],
  [`got "no money${'x'.repeat(2_000)}", too long`, {}, 'got  '],
])('%j says of its own %#', (message, body, own) => {
  expect(ownWordsTo(body, message)).toBe(own)
})

it.each([
  ['some words of an upstream, '.repeat(37), 'some'],
  ['a'.repeat(1_000), 'aaaa'],
  ['a'.repeat(1_000_000), 'a'.repeat(4_000)],
])('is looked for in a long call as fast as that is read: %#', (message, text) => {
  const spent = processorTime()
  ownWordsTo({ input: Array.from({ length: 1_000_000 }, () => text) }, message)
  expect(spent()).toBeLessThan(2_500)
})

it('leaves nothing of a message in which more texts might stand than are looked for', () => {
  const words = Array.from({ length: 60 }, (_, at) => `w${String(at + 100)}`)
  const pairs = words.flatMap((first) => words.map((second) => `${first} ${second}`))
  const message = `no money: ${words.join(' ')}`
  expect(ownWordsTo(pairs.slice(0, 50), message)).toContain('no money')
  expect(ownWordsTo(pairs, message)).toBe('')
})
