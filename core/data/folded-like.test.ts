import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseKinds, type TestDatabase } from '../../test/harness/databases.ts'
import { containing, foldedLike } from './folded-like.ts'

describe.each(databaseKinds)('a text that matches whatever its case, on $name', ({ create }) => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await create()
  })
  afterAll(() => test.close())

  it.each([
    ['ORDER-1', 'rdEr', 1],
    ['order-1', 'ORDER', 1],
    ['100%', '0%', 1],
    ['1000', '0%', 0],
    ['a_b', '_', 1],
    ['a-b', '_', 0],
    ['wow!', '!', 1],
    ['wow', '!', 0],
    ['Größe 1', 'E 1', 1],
    ['Größe', 'größe', 1],
  ])('of %j and %j is %d', async (text, word, found) => {
    const like = foldedLike(test.database.dialect, 'CAST(:text AS TEXT)', {
      name: ':pattern',
      word,
    })
    const rows = await test.database.select(`SELECT 1 AS "row" WHERE ${like}`, {
      text,
      pattern: containing(word),
    })
    expect(rows).toHaveLength(found)
  })

  it('is compared once on SQLite, without a copy of each text', async () => {
    if (test.database.dialect === 'postgres') return
    const steps = await test.database.select<{ opcode: string; p4: string | null }>(
      `EXPLAIN SELECT COUNT(*) FROM top_ups WHERE ${foldedLike('sqlite', 'trade_no', { name: ':pattern', word: 'x' })}`,
      { pattern: '%x%' },
    )
    const called = steps.filter(({ opcode }) => opcode === 'Function').map(({ p4 }) => p4)
    expect(called).toEqual(['like(3)'])
  })
})
