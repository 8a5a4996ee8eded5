import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPluginApp, databaseKinds, type PluginApp } from '#test'
import { addHours } from './add-hours-sql.ts'
import { type Span, type Step, sumsOfAll } from './all-hours-sql.ts'
import { countHours } from './count-hours.ts'
import { summedSince } from './hours-report.ts'
import dashboard from './index.ts'

const DAY_SECONDS = 86_400
const WEEK_SECONDS = 7 * DAY_SECONDS
const MONDAY_OFFSET = 3 * DAY_SECONDS
const HOUR_SECONDS = 3_600
/** In which calls come: 100 days. */
const HOURS = 2_400
const CALLS = 3_000

/** Another one for each `at`, and the same in each run. */
const mixed = (at: number, below: number) => ((at * 7_919 + 104_729) % 1_000_003) % below

describe.each(databaseKinds)('sums of weeks by model, on $name', (kind) => {
  let app: PluginApp
  const now = Math.floor(Date.now() / 1000)
  const newest = now - (now % HOUR_SECONDS)
  const oldest = newest - HOURS * HOUR_SECONDS

  beforeAll(async () => {
    app = await createPluginApp({ plugins: [dashboard], kind })
    const calls = Array.from({ length: CALLS }, (_, at) => {
      const time = oldest + mixed(at * 31, HOURS + 1) * HOUR_SECONDS
      return [1_000 + mixed(at, 9), 'u', time, 2, `m${mixed(at, 5)}`, mixed(at, 3) * at, 1 + at, 7]
    })
    await app.database.run(
      `INSERT INTO logs (user_id, username, created_at, type, model_name, quota, prompt_tokens, token_id) VALUES :calls`,
      { calls },
    )
    await count()
  })
  afterAll(() => app.close())

  const count = () => countHours(app.database, { isCounted: true, settleMs: 0 })

  const write = (time: number) =>
    app.database.run(
      `INSERT INTO logs (user_id, username, created_at, type, model_name, quota, prompt_tokens, token_id)
       VALUES (1001, 'u', :time, 2, 'late', 1000000, 5, 7)`,
      { time },
    )

  const stepOf = (time: string, step?: Step) =>
    step === undefined ? '0' : `${time} - (${time} + ${step.offset}) % ${step.seconds}`

  /** By model and step. */
  const summed = async (span: Span, step?: Step) => {
    const { weeksTo } = await summedSince(app.database)
    return app.database.select<{ token_used: number }>(
      `SELECT model_name, ${stepOf('created_at', step)} AS step, CAST(SUM(token_used) AS BIGINT) AS token_used,
         CAST(SUM(count) AS BIGINT) AS count, CAST(SUM(quota) AS BIGINT) AS quota
       FROM ${sumsOfAll(span, weeksTo).table(step)} GROUP BY 1, 2 HAVING SUM(count) > 0 ORDER BY 1, 2`,
      { ...span },
    )
  }

  const rowByRow = ({ start, end }: Span, step?: Step) =>
    app.database.select(
      `SELECT model_name, ${stepOf('hour', step)} AS step, CAST(SUM(prompt_tokens) AS BIGINT) AS token_used,
         COUNT(*) AS count, CAST(SUM(quota) AS BIGINT) AS quota
       FROM (SELECT model_name, created_at - created_at % 3600 AS hour, prompt_tokens, quota FROM logs WHERE type = 2) AS calls
       WHERE hour >= :start AND hour <= :end GROUP BY 1, 2 ORDER BY 1, 2`,
      { start, end },
    )

  const compared = async (spans: readonly Span[], steps: readonly (Step | undefined)[]) => {
    for (const span of spans)
      for (const step of steps)
        expect({ span, step, rows: await summed(span, step) }).toEqual({
          span,
          step,
          rows: await rowByRow(span, step),
        })
  }

  const week = (zone: number) => ({ seconds: WEEK_SECONDS, offset: zone + MONDAY_OFFSET })
  const day = (zone: number) => ({ seconds: DAY_SECONDS, offset: zone })
  const zones = [0, 8, -5, 5.5, 14, -9.5].map((hours) => hours * HOUR_SECONDS)
  const spans = [
    { start: now - 365 * DAY_SECONDS, end: now },
    { start: now - 30 * DAY_SECONDS, end: now },
    { start: now - DAY_SECONDS, end: now + 9 * DAY_SECONDS },
    { start: now + HOUR_SECONDS, end: now + 2 * HOUR_SECONDS },
    { start: now, end: now - DAY_SECONDS },
  ]

  it('are what rows say, wherever spans and steps begin and end', async () => {
    const others = Array.from({ length: 12 }, (_, at) => {
      const start = oldest + mixed(at, HOURS) * HOUR_SECONDS + mixed(at, 3) * 600
      return { start, end: start + mixed(at * 17, HOURS * HOUR_SECONDS) }
    })
    await compared([...spans, ...others], [undefined, ...zones.flatMap((zone) => [week(zone)])])
    await compared(others.slice(0, 4), zones.map(day))
  })

  it('are read of each week that is over', async () => {
    const tokensOf = async () => {
      const rows = await summed({ start: now - 365 * DAY_SECONDS, end: now })
      return rows.reduce((sum, row) => sum + row.token_used, 0)
    }
    const before = await tokensOf()
    const add = (tokens: number) =>
      app.database.run('UPDATE dashboard__weeks SET token_used = token_used + :tokens', { tokens })
    const [weeks] = await app.database.select<{ count: number }>(
      'SELECT COUNT(DISTINCT created_at) AS count FROM dashboard__weeks',
    )
    expect(weeks?.count).toBeGreaterThanOrEqual(13)
    await add(1)
    expect(await tokensOf()).toBeGreaterThan(before)
    await add(-1)
  })

  it('count what comes late, before its week is summed again and after', async () => {
    const late = newest - 50 * DAY_SECONDS
    await write(late)
    await countHours(app.database, { isCounted: true, settleMs: 0, nowSeconds: late })
    await compared(spans, [undefined, week(0)])
    await count()
    await compared(spans, [undefined, week(0)])
  })

  it('count what a version has counted that knows nothing of weeks', async () => {
    const [progress] = await app.database.select<{ id: number }>(
      'SELECT last_id AS id FROM dashboard__progress',
    )
    const id = progress?.id ?? 0
    const late = newest - 30 * DAY_SECONDS
    await write(late)
    await addHours(app.database, { id, after: -1, to: id + 1 })
    await app.database.run(
      `UPDATE dashboard__progress SET last_id = :id, thirds_id = :id, user_thirds_id = :id, user_blocks_id = :id,
         last_created_at = :late`,
      { id: id + 1, late },
    )
    await compared(spans, [undefined, week(0)])
    await write(newest)
    await count()
    await compared(spans, [undefined, week(0)])
  })
})
