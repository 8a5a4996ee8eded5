import { expect, it } from 'vitest'
import { KeptTurns } from './kept-turns.ts'

const MIB = 1_048_576

function place(userId: number, socketId = `socket of ${userId}`) {
  return { userId, socketId }
}

it('knows what a socket has kept, and no other socket', () => {
  const turns = new KeptTurns()
  turns.keep(place(1), 'resp_1', '{"a":1}')
  expect(turns.find(place(1), 'resp_1')).toBe('{"a":1}')
  expect(turns.find(place(1, 'another'), 'resp_1')).toBeUndefined()
  turns.forget(place(1), 'resp_1')
  expect(turns.find(place(1), 'resp_1')).toBeUndefined()
})

it('forgets the oldest of a user who keeps too much, and nothing of others', () => {
  const turns = new KeptTurns()
  turns.keep(place(1), 'mine', 'x')
  for (let count = 0; count < 20; count += 1)
    turns.keep(place(2), `resp_${count}`, 'x'.repeat(5 * MIB))
  expect(turns.find(place(1), 'mine')).toBe('x')
  const kept = Array.from({ length: 20 }, (_, at) => turns.find(place(2), `resp_${at}`))
  expect(kept.map((items) => items !== undefined)).toEqual([
    ...Array.from({ length: 17 }, () => false),
    true,
    true,
    true,
  ])
})

it('does not keep what is too long alone, and keeps what comes after it', () => {
  const turns = new KeptTurns()
  turns.keep(place(1), 'long', 'x'.repeat(17 * MIB))
  expect(turns.find(place(1), 'long')).toBeUndefined()
  turns.keep(place(1), 'short', 'x')
  expect(turns.find(place(1), 'short')).toBe('x')
})
