import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { KeptTexts } from './kept-texts.ts'

const kept = () => new KeptTexts({ all: 64_000, aUser: 16_000 })

it('knows what a user has kept, and no other user', () => {
  const texts = kept()
  texts.keep(1, 'a', 'mine')
  expect(texts.find(1, 'a')).toBe('mine')
  expect(texts.find(2, 'a')).toBeUndefined()
  texts.forget(2, 'a')
  expect(texts.has(1, 'a')).toBe(true)
  texts.forget(1, 'a')
  expect(texts.find(1, 'a')).toBeUndefined()
})

it('forgets what a user who keeps too much used longest ago, and nothing of others', () => {
  const texts = kept()
  texts.keep(1, 'mine', 'x')
  for (const id of ['a', 'b', 'c']) texts.keep(2, id, 'x'.repeat(5_000))
  texts.find(2, 'a')
  for (const id of ['d', 'a']) texts.keep(2, id, 'x'.repeat(5_000))
  expect(['a', 'b', 'c', 'd'].map((id) => texts.has(2, id))).toEqual([true, false, true, true])
  for (let count = 0; count < 1_000; count += 1) texts.keep(2, `id ${count}`, 'x')
  expect(texts.has(2, 'id 0')).toBe(false)
  expect(texts.find(1, 'mine')).toBe('x')
})

it('does not keep what is too long alone, and keeps what comes after it', () => {
  const texts = kept()
  texts.keep(1, 'long', 'x'.repeat(17_000))
  expect(texts.find(1, 'long')).toBeUndefined()
  texts.keep(1, 'short', 'x')
  expect(texts.find(1, 'short')).toBe('x')
})

it('forgets an hour after the last use', async () => {
  let now = 1
  const texts = new KeptTexts({ all: 64_000, aUser: 16_000 }, { now: () => now })
  const later = async () => {
    now += 3_000_000
    // The cache asks for the time once in a millisecond.
    await delay(5)
  }
  texts.keep(1, 'used', 'x')
  texts.keep(1, 'left', 'x')
  await later()
  texts.find(1, 'used')
  await later()
  expect([texts.find(1, 'used'), texts.find(1, 'left')]).toEqual(['x', undefined])
})
