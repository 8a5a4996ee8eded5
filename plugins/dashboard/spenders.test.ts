import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPluginApp, databaseKinds, type InjectClient, type PluginApp } from '#test'
import { addHours } from './add-hours-sql.ts'
import { countHours } from './count-hours.ts'
import dashboard from './index.ts'
import type { UserRow } from './schema.ts'

const DAY_SECONDS = 86_400
const HOUR_SECONDS = 3_600
/** In which calls come: 200 days. */
const HOURS = 4_800
/** Some of them are not among the hundred of whom is told. */
const USERS = 130
const CALLS = 3_000

/** Another one for each `at`, and the same in each run. */
const mixed = (at: number, below: number) => ((at * 7_919 + 104_729) % 1_000_003) % below

describe.each(databaseKinds)('who spent most, on $name', (kind) => {
  let app: PluginApp
  let admin: InjectClient
  const now = Math.floor(Date.now() / 1000)
  const newest = now - (now % HOUR_SECONDS)
  const oldest = newest - HOURS * HOUR_SECONDS

  beforeAll(async () => {
    app = await createPluginApp({ plugins: [dashboard], kind })
    const boss = { username: 'boss', password: 'correct horse', role: 10, by: 'setup' } as const
    admin = await app.signedIn((await app.accounts.create(boss)).id)
    const calls = Array.from({ length: CALLS }, (_, at) => {
      const user = 1_000 + mixed(at, USERS)
      const time = oldest + mixed(at * 31, HOURS + 1) * HOUR_SECONDS
      return [
        user,
        `u${user}`,
        time,
        2,
        `m${mixed(at, 5)}`,
        mixed(at, 3) * at,
        1 + at,
        2,
        7,
        'work',
      ]
    })
    for (let at = 0; at < CALLS; at += 500) {
      await app.database.run(
        `INSERT INTO logs (user_id, username, created_at, type, model_name, quota, prompt_tokens, completion_tokens, token_id, token_name)
         VALUES :calls`,
        { calls: calls.slice(at, at + 500) },
      )
    }
    await count()
  })
  afterAll(() => app.close())

  const count = () => countHours(app.database, { isCounted: true, settleMs: 0 })

  const write = (time: number) =>
    app.database.run(
      `INSERT INTO logs (user_id, username, created_at, type, model_name, quota, prompt_tokens, token_id, token_name)
       VALUES (1001, 'u1001', :time, 2, 'm3', 1000000, 5, 7, 'work')`,
      { time },
    )

  const spenders = async (start: number, end: number) => {
    const query = `start_timestamp=${start}&end_timestamp=${end}`
    const { data } = await admin.call<UserRow[]>('GET', `/api/data/users?${query}`)
    return data
  }

  const sumsBetween = (start: number, end: number) =>
    app.database.select(
      `SELECT user_id, MAX(username) AS username, CAST(SUM(prompt_tokens + completion_tokens) AS BIGINT) AS token_used,
         COUNT(*) AS count, CAST(SUM(quota) AS BIGINT) AS quota
       FROM logs WHERE type = 2 AND created_at - created_at % 3600 >= :start AND created_at - created_at % 3600 <= :end
       GROUP BY user_id ORDER BY 5 DESC, user_id LIMIT 100`,
      { start, end },
    )

  const compared = async (spans: readonly (readonly [number, number])[]) => {
    for (const [start, end] of spans) {
      expect({ start, end, rows: await spenders(start, end) }).toEqual({
        start,
        end,
        rows: await sumsBetween(start, end),
      })
    }
  }

  const today = newest - (newest % DAY_SECONDS)
  const ofDays = [
    [today - 7 * DAY_SECONDS, now],
    [now - 7 * DAY_SECONDS, now],
    [now - 30 * DAY_SECONDS, now],
    [now - 365 * DAY_SECONDS, now],
    [today - 100 * DAY_SECONDS, today - 2 * DAY_SECONDS],
    [today - 2 * DAY_SECONDS, today - 1],
    [today, today + 86_399],
    [now + HOUR_SECONDS, now + 2 * HOUR_SECONDS],
    [now - DAY_SECONDS, now + 9 * DAY_SECONDS],
  ] as const

  it('is what rows say, wherever a span begins and ends', async () => {
    const spans = Array.from({ length: 60 }, (_, at) => {
      const start = oldest + mixed(at, HOURS) * HOUR_SECONDS + mixed(at, 3) * 600
      return [start, start + mixed(at * 17, HOURS * HOUR_SECONDS)] as const
    })
    await compared([...spans, ...ofDays])
  })

  it('is read from blocks of days that are over', async () => {
    const [blocks] = await app.database.select<{ short: number; long: number; newest: number }>(
      `SELECT COUNT(DISTINCT CASE WHEN days = 8 THEN created_at END) AS short, COUNT(DISTINCT CASE WHEN days = 64 THEN created_at END) AS long,
         MAX(created_at + days * ${DAY_SECONDS}) AS newest FROM dashboard__user_blocks`,
    )
    expect(blocks?.short).toBeGreaterThanOrEqual(24)
    expect(blocks?.long).toBeGreaterThanOrEqual(2)
    expect(blocks?.newest).toBeLessThanOrEqual(now)
    const quotaOf = async () => {
      const rows = await spenders(now - 365 * DAY_SECONDS, now)
      return rows.reduce((sum, { quota }) => sum + quota, 0)
    }
    const before = await quotaOf()
    const add = (quota: number) =>
      app.database.run('UPDATE dashboard__user_blocks SET quota = quota + :quota', { quota })
    await add(1_000)
    expect(await quotaOf()).toBeGreaterThan(before)
    await add(-1_000)
  })

  it('counts what comes late, before its block is made anew and after', async () => {
    const late = newest - 100 * DAY_SECONDS
    await write(late)
    await countHours(app.database, { isCounted: true, settleMs: 0, nowSeconds: late })
    await compared(ofDays)
    await count()
    await compared(ofDays)
  })

  it('counts what a version has counted that knows nothing of blocks', async () => {
    const [progress] = await app.database.select<{ id: number }>(
      'SELECT last_id AS id FROM dashboard__progress',
    )
    const id = progress?.id ?? 0
    const late = newest - 50 * DAY_SECONDS
    await write(late)
    await addHours(app.database, { id, after: -1, to: id + 1 })
    await app.database.run(
      'UPDATE dashboard__progress SET last_id = :id, thirds_id = :id, user_thirds_id = :id, last_created_at = :late',
      { id: id + 1, late },
    )
    await compared(ofDays)
    await write(newest)
    await count()
    await compared(ofDays)
  })
})
