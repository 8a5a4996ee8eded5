import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPluginApp, databaseKinds, type PluginApp } from '#test'
import { readHours } from './hours-report.ts'
import dashboard from './index.ts'

const HOUR_SECONDS = 3_600
const HOURS = 150
const MODELS = 200
const start = 1_750_032_000

describe.each(databaseKinds)('many models by the hour, on $name', (kind) => {
  let app: PluginApp

  beforeAll(async () => {
    app = await createPluginApp({ plugins: [dashboard], kind })
    const series = `WITH RECURSIVE series (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM series WHERE n < ${HOURS * MODELS - 1})`
    const hour = `${start} + (n / ${MODELS}) * ${HOUR_SECONDS}`
    await app.database.run(
      `${series} INSERT INTO dashboard__models (created_at, model_name, token_used, count, quota)
       SELECT ${hour}, 'm' || (n % ${MODELS}), 3, 1, (n * 7919) % 1000 FROM series`,
    )
    await app.database.run(
      `${series} INSERT INTO log_models (name) SELECT 'm' || n FROM series WHERE n < ${MODELS}`,
    )
    for (const [table, seconds, model] of [
      ['thirds', HOUR_SECONDS * 8, 'model_name, '],
      ['totals', HOUR_SECONDS, ''],
    ] as const)
      await app.database.run(
        `INSERT INTO dashboard__${table} (created_at, ${model}token_used, count, quota)
         SELECT created_at - created_at % ${seconds}, ${model}SUM(token_used), SUM(count), SUM(quota)
         FROM dashboard__models GROUP BY created_at - created_at % ${seconds}${model === '' ? '' : ', model_name'}`,
      )
  })
  afterAll(() => app.close())

  it('are read some thousand rows at a time, and add up to what was spent', async () => {
    const { database } = app
    const lengths: number[] = []
    const select: typeof database.select = async (...question) => {
      const rows = await database.select<never>(...question)
      lengths.push(rows.length)
      return rows
    }
    const span = { start: start + 5, end: start + (HOURS - 3) * HOUR_SECONDS }
    const { rows, modelCount } = await readHours({ ...database, select }, span)
    expect(modelCount).toBe(MODELS)
    expect(rows.length).toBeGreaterThan(15_000)
    expect(Math.max(...lengths)).toBeLessThan(5_000)
    const sums = await database.select(
      `SELECT created_at, CAST(SUM(count) AS BIGINT) AS count, CAST(SUM(quota) AS BIGINT) AS quota
       FROM dashboard__models WHERE created_at >= :start AND created_at <= :end GROUP BY created_at ORDER BY created_at`,
      { ...span },
    )
    const found = [...Map.groupBy(rows, ({ created_at: hour }) => hour)].map(([hour, ofHour]) => ({
      created_at: hour,
      count: ofHour.reduce((sum, { count }) => sum + count, 0),
      quota: ofHour.reduce((sum, { quota }) => sum + quota, 0),
    }))
    expect(found).toEqual(sums)
    const most = await database.select<{ model_name: string }>(
      'SELECT model_name FROM dashboard__models GROUP BY model_name ORDER BY SUM(quota) DESC LIMIT 6',
    )
    const named = new Set(rows.map(({ model_name: name }) => name))
    expect(most.filter(({ model_name: name }) => !named.has(name))).toEqual([])
  })
})
