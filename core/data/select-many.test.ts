import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { driverKinds, type TestDatabase } from '../../test/harness/databases.ts'
import { selectMany } from './select-many-sql.ts'

interface Row {
  id: number
  name: string
  balance: number
  tag: string | null
}
const columns = ['id', 'name', 'balance', 'tag'] as const
const doubles = ['balance'] as const
const rows: readonly Row[] = [
  { id: Number.MAX_SAFE_INTEGER, name: '', balance: 1 / 3, tag: null },
  { id: 30, name: 'quote " and \\ and \n and 多字节 🙂', balance: -0.1 - 0.2, tag: 'a' },
  { id: 4, name: '{"json": [1]}', balance: 123_456_789.123_456_79, tag: null },
  { id: -2, name: "' ; --", balance: 5e-324, tag: '' },
  { id: -3, name: 'whole', balance: 12, tag: '\u0001' },
]

describe.each(driverKinds)('many rows at once, from $name', ({ create }) => {
  let test: TestDatabase

  beforeAll(async () => {
    test = await create()
    await test.database.run(
      'CREATE TABLE many (id BIGINT, name TEXT, balance DOUBLE PRECISION, tag TEXT)',
    )
    for (const row of rows.toReversed())
      await test.database.run(
        'INSERT INTO many (id, name, balance, tag) VALUES (:id, :name, :balance, :tag)',
        { ...row },
      )
  })
  afterAll(() => test.close())

  it('are those that the statement finds, in its order', async () => {
    const sql = 'SELECT id, name, balance, tag FROM many WHERE id <> :id ORDER BY id DESC'
    const statement = { sql, columns, doubles }
    const { database } = test
    expect(await selectMany<Row>(database, { ...statement, values: { id: 0 } })).toEqual(rows)
    expect(await database.select<Row>(sql, { id: 0 })).toEqual(rows)
    const none = 'SELECT id, name, balance, tag FROM many WHERE FALSE'
    expect(await selectMany<Row>(database, { columns, sql: none })).toEqual([])
  })
})
