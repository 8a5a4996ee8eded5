import { describe, expect, it } from 'vitest'
import type { Change } from '../schema.ts'
import { differenceOf, isInUse } from './change.ts'

const change = (old_value: string | null, new_value: string | null): Change => ({
  id: 1,
  key: 'ModelRatio',
  changed_at: 1_795_000_000,
  user_id: 1,
  username: 'root',
  origin: 'loopback',
  is_secret: false,
  old_value,
  new_value,
  old_size: old_value?.length ?? 0,
  new_size: new_value?.length ?? 0,
  can_restore: true,
  can_restore_old: true,
})
const prices = Object.fromEntries(
  Array.from({ length: 30 }, (_, index) => [`model-${index}`, index]),
)
const wire = (more: object) => JSON.stringify({ ...prices, ...more })

describe('what changed, in a line', () => {
  it.each([
    { name: 'short values', before: 'a', after: 'b\nc', words: 'a → b c' },
    { name: 'small maps', before: '{"vip":1}', after: '{"vip":2}', words: 'vip: 1 → 2' },
    { name: 'nothing before', before: '', after: 'b', words: '– → b' },
    {
      name: 'maps, by the entries that differ',
      before: wire({ 'gpt-4o': 2.5, old: 1 }),
      after: wire({ 'gpt-4o': 3, new: { input: 1 } }),
      words: 'gpt-4o: 2.5 → 3, old: 1 → –, new: – → {"input":1}',
    },
    {
      name: 'no more than three entries of a map',
      before: wire({}),
      after: wire({ a: 1, b: 2, c: 3, d: 4, e: 5 }),
      words: 'a: – → 1, b: – → 2, c: – → 3, +2',
    },
    {
      name: 'long texts, by their size alone',
      before: 'x'.repeat(90),
      after: 'y',
      words: undefined,
    },
    { name: 'what is not kept', before: null, after: 'y', words: undefined },
  ])('tells $name', ({ before, after, words }) => {
    expect(differenceOf(change(before, after))).toBe(words)
  })

  it('knows the value in use, also where the list has only its beginning', () => {
    const cut = { ...change('a', 'beginning'), new_size: 20 }
    expect(isInUse(cut, 'beginning and an end')).toBe(true)
    expect(isInUse(cut, 'beginning')).toBe(false)
    expect(isInUse({ ...cut, is_secret: true, new_value: null }, undefined)).toBe(false)
  })
})
