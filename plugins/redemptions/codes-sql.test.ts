// The plan of a search in a million codes: it uses an index, whatever the statistics of the table say.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DatabaseService } from '#core'
import { createPluginApp, databaseKinds, type PluginApp } from '#test'
import { selectCodes } from './codes-sql.ts'
import redemptions from './index.ts'

const now = 1_790_000_000
const page = { limit: 20, offset: 0 }

describe.each(databaseKinds)('the list of codes on $name', (kind) => {
  let app: PluginApp

  beforeAll(async () => {
    app = await createPluginApp({ kind, plugins: [redemptions] })
    await app.database.run(
      `WITH RECURSIVE series (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < 3000)
       INSERT INTO redemptions__codes (user_id, name, key, key_hash, status, quota, created_time, expired_time)
       SELECT 1, 'Batch ' || (n / 10), '', 'hash-' || n, CASE WHEN n % 100 = 0 THEN 2 ELSE 1 END, 1, ${now},
         CASE WHEN n % 200 = 0 THEN ${now} - 1 ELSE 0 END FROM series`,
    )
  })
  afterAll(() => app.close())

  async function plansOf(search: Parameters<typeof selectCodes>[1]): Promise<string[]> {
    const asked: { sql: string; values: Record<string, unknown> | undefined }[] = []
    const select: DatabaseService['select'] = (sql, values, transaction) => {
      asked.push({ sql, values })
      return app.database.select(sql, values, transaction)
    }
    await selectCodes({ ...app.database, select }, search, page)
    const plans = await Promise.all(asked.map(({ sql, values }) => explain(app, sql, values)))
    return plans.map((lines) => lines.join('\n'))
  }

  it.each([
    [{ word: 'batch 29', now }, 'codes_name'],
    [{ word: 'never', now }, 'codes_name'],
    [{ word: '', status: '2', now }, 'codes_status'],
    [{ word: '', status: '3', now }, 'codes_status'],
  ])('is searched by an index for %j', async (search, index) => {
    const [count] = await plansOf(search)
    expect(count).toContain(index)
    expect(count).not.toMatch(/SCAN redemptions__codes\b(?! USING)|Seq Scan/)
  })

  it('passes over ids to a page far behind', async () => {
    // As autovacuum leaves it.
    if (app.database.dialect === 'postgres')
      await app.database.run('VACUUM ANALYZE redemptions__codes')
    const far = { limit: 20, offset: 2980 }
    const { rows, total } = await selectCodes(app.database, { word: '', now }, far)
    expect([rows[0]?.id, rows.at(-1)?.id, total]).toEqual([20, 1, 3000])
    const [, list] = await plansOf({ word: '', now })
    expect(list).toMatch(/COVERING INDEX redemptions__codes|Index Only Scan/)
  })

  it('finds a word in any letter case, and what is no letter as it is', async () => {
    const total = async (word: string) => {
      const { rows, total: counted } = await selectCodes(app.database, { word, now }, page)
      expect(rows).toHaveLength(Math.min(counted, page.limit))
      return counted
    }
    expect(await total('BATCH 29')).toBe(10 + 100)
    expect(await total('batch_29')).toBe(0)
    expect(await total('b')).toBe(3000)
    expect(await total('atch')).toBe(0)
  })

  it('counts what is disabled and has not expired', async () => {
    const found = await selectCodes(app.database, { word: '', status: '2', now }, page)
    expect(found.total).toBe(15)
  })
})

/** A small table is read whole whatever its indexes: PostgreSQL is asked how it would go otherwise. */
async function explain(
  { database }: PluginApp,
  sql: string,
  values: Record<string, unknown> | undefined,
): Promise<string[]> {
  if (database.dialect === 'sqlite') {
    const rows = await database.select<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, values)
    return rows.map(({ detail }) => detail)
  }
  return database.transaction(async (transaction) => {
    await database.run('SET LOCAL enable_seqscan = off', undefined, transaction)
    const rows = await database.select<{ 'QUERY PLAN': string }>(
      `EXPLAIN ${sql}`,
      values,
      transaction,
    )
    return rows.map((row) => row['QUERY PLAN'])
  })
}
