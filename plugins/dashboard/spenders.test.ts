import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPluginApp, databaseKinds, type InjectClient, type PluginApp } from '#test'
import { countHours } from './count-hours.ts'
import dashboard from './index.ts'

const HOUR_SECONDS = 3_600
/** In which calls come; their days are over but for the last. */
const HOURS = 200
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
    await countHours(app.database, { isCounted: true, settleMs: 0 })
  })
  afterAll(() => app.close())

  const spenders = async (start: number, end: number) => {
    const query = `start_timestamp=${start}&end_timestamp=${end}`
    const { data } = await admin.call('GET', `/api/data/users?${query}`)
    return data
  }

  const told = (start: number, end: number) =>
    app.database.select(
      `SELECT user_id, MAX(username) AS username, CAST(SUM(prompt_tokens + completion_tokens) AS BIGINT) AS token_used,
         COUNT(*) AS count, CAST(SUM(quota) AS BIGINT) AS quota
       FROM logs WHERE type = 2 AND created_at - created_at % 3600 >= :start AND created_at - created_at % 3600 <= :end
       GROUP BY user_id ORDER BY 5 DESC, user_id LIMIT 100`,
      { start, end },
    )

  it('is what rows say, wherever a span begins and ends', async () => {
    const spans = Array.from({ length: 60 }, (_, at) => {
      const start = oldest + mixed(at, HOURS) * HOUR_SECONDS + mixed(at, 3) * 600
      return [start, start + mixed(at * 17, HOURS * HOUR_SECONDS)] as const
    })
    const today = newest - (newest % 86_400)
    const ofDays = [
      [today - 7 * 86_400, now],
      [now - 7 * 86_400, now],
      [today - 2 * 86_400, today - 1],
      [today, today + 86_399],
      [now + HOUR_SECONDS, now + 2 * HOUR_SECONDS],
      [now - 86_400, now + 9 * 86_400],
    ] as const
    for (const [start, end] of [...spans, ...ofDays]) {
      expect({ start, end, rows: await spenders(start, end) }).toEqual({
        start,
        end,
        rows: await told(start, end),
      })
    }
  })
})
