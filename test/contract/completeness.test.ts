// Each call of the two documents, as calls.json lists them, has an entry in a room, and the other way round.
import { expect, it } from 'vitest'
import calls from './calls.json' with { type: 'json' }
import { accountRooms, operationRooms } from './rooms.ts'

const covered = [...accountRooms, ...operationRooms].flatMap((room) => room.calls)
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
const wanted = calls.map(nameOf)

it('covers every call of the documents', () => {
  const has = new Set(covered.map(nameOf))
  expect(wanted.filter((call) => !has.has(call))).toEqual([])
})

it('covers no call that the documents do not have, and none twice', () => {
  expect(covered.map(nameOf).sort()).toEqual(wanted.toSorted())
})
