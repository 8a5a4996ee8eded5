import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPluginApp, databaseKinds, type InjectClient, type PluginApp } from '#test'
import { addHours } from './add-hours-sql.ts'
import { countHours } from './count-hours.ts'
import dashboard from './index.ts'
import type { DataRow } from './schema.ts'

/** 2026-11-20 10:00 UTC. */
const hour = 1_795_168_800
const hoursOf = (count: number) => count * 3_600
const models = 200

describe.each(databaseKinds)('thirds of days of busy users on $name', (kind) => {
  let app: PluginApp
  let admin: InjectClient
  let ada: InjectClient
  let adaId: number

  beforeAll(async () => {
    app = await createPluginApp({ plugins: [dashboard], kind })
    const password = 'correct horse'
    const boss = await app.accounts.create({ username: 'boss', password, role: 10, by: 'setup' })
    const user = await app.accounts.create({ username: 'ada', password, by: 'admin' })
    adaId = user.id
    admin = await app.signedIn(boss.id)
    ada = await app.signedIn(user.id)
    // One call of each model in each hour of five days, and one of another user.
    await app.database.run(
      `WITH RECURSIVE series (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM series WHERE n < ${120 * models - 1})
       INSERT INTO logs (user_id, username, created_at, type, model_name, quota, prompt_tokens, token_id, token_name)
       SELECT CASE WHEN n % 2000 = 7 THEN 999 ELSE ${adaId} END, CASE WHEN n % 2000 = 7 THEN 'bob' ELSE 'ada' END,
         ${hour} - (n / ${models}) * 3600, 2, 'm' || (n % ${models}), (n * 7919) % 1000, n % 7, 7, 'work' FROM series`,
    )
  })
  afterAll(() => app.close())

  /** Nothing is over before the first second. */
  const count = (nowSeconds = hour + hoursOf(24)) =>
    countHours(app.database, { isCounted: true, settleMs: 0, nowSeconds })
  const write = (createdAt: number, username = 'ada') =>
    app.database.run(
      `INSERT INTO logs (user_id, username, created_at, type, model_name, quota, prompt_tokens, token_id, token_name)
       VALUES (:adaId, :username, :createdAt, 2, 'm3', 100, 5, 7, 'work')`,
      { adaId, username, createdAt },
    )
  const summed = async () => {
    const rows = await app.database.select<{ user_id: number; created_at: number }>(
      'SELECT DISTINCT user_id, created_at FROM dashboard__user_thirds ORDER BY created_at',
    )
    expect(rows.every(({ user_id }) => user_id === adaId)).toBe(true)
    return rows.map(({ created_at }) => created_at)
  }

  const spans = [
    { from: -119, to: 3 },
    { from: -117, to: 0, step: 86_400, zone: 28_800 },
    { from: -119, to: 0, step: 86_400, zone: 19_800 },
    { from: -110, to: -1, step: 7 * 86_400, zone: -18_000 },
    { from: -23, to: 0 },
  ]
  /** What the rows of the log come to, of two models and of all others. */
  const hoursOfRows = () =>
    app.database.select<DataRow>(
      `SELECT created_at - created_at % 3600 AS created_at, CASE WHEN model_name IN ('m3', 'm199') THEN model_name ELSE '' END AS model_name,
         CAST(SUM(quota) AS BIGINT) AS quota, COUNT(*) AS count, CAST(SUM(prompt_tokens) AS BIGINT) AS token_used
       FROM logs WHERE user_id = ${adaId} GROUP BY 1, 2`,
    )
  /** Each answer by the beginnings of its steps, beside what the rows of the log come to. */
  const compared = async (client: InjectClient, path: string) => {
    const found: object[] = []
    const wanted: object[] = []
    const hours = await hoursOfRows()
    for (const { from, to, step = 3_600, zone = 0 } of spans) {
      const unit = { 3_600: 'hour', 86_400: 'day' }[step] ?? 'week'
      const [start, end] = [hour + hoursOf(from), hour + hoursOf(to)]
      const offset = zone + (unit === 'week' ? 3 * 86_400 : 0)
      const query = `start_timestamp=${start}&end_timestamp=${end}&default_time=${unit}&timezone_offset=${zone}`
      const { data } = await client.call<DataRow[]>('GET', `${path}${query}`)
      for (const ofModel of ['', 'm3', 'm199']) {
        const rows = data.filter(({ model_name: name }) => ofModel === '' || name === ofModel)
        const isNamed = ofModel === '' || rows.length > 0
        found.push({ from, step, ofModel, sums: isNamed ? sumsByTime(rows) : [] })
        const steps = hours
          .filter(({ created_at: at }) => at >= start && at <= end)
          .filter(({ model_name: name }) => ofModel === '' || name === ofModel)
          .map((row) => ({
            ...row,
            created_at: row.created_at - ((row.created_at + offset) % step),
          }))
        wanted.push({ from, step, ofModel, sums: isNamed ? sumsByTime(steps) : [] })
      }
    }
    expect(found).toEqual(wanted)
  }

  it('are made when they are over, and say what the rows of the log say', async () => {
    await count(0)
    expect(await summed()).toEqual([])
    await compared(ada, '/api/data/self?')
    await count()
    const thirds = await summed()
    // 10 o'clock is in the second third of its day, which is not over; the first that there is begins at 11.
    expect(thirds[0]).toBe(hour - hoursOf(122))
    expect(thirds.at(-1)).toBe(hour - hoursOf(10))
    expect(thirds).toHaveLength(15)
    await compared(ada, '/api/data/self?')
    await compared(admin, '/api/data/?username=ada&')
    await compared(admin, `/api/data/?user_id=${adaId}&`)
  })

  it('are what is read of a long span', async () => {
    const path = `/api/data/self?start_timestamp=${hour - hoursOf(119)}&end_timestamp=${hour}&default_time=day&timezone_offset=0`
    const callsOf = async () => {
      const { data } = await ada.call<DataRow[]>('GET', path)
      return data.reduce((sum, row) => sum + row.count, 0)
    }
    const before = await callsOf()
    const add = (calls: number) =>
      app.database.run('UPDATE dashboard__user_thirds SET count = count + :calls', { calls })
    await add(1)
    expect(await callsOf()).toBe(before + 14 * models)
    await add(-1)
  })

  it('are made anew where a call comes late', async () => {
    const late = hour - hoursOf(60)
    await write(late)
    await count(0)
    expect(
      (
        await app.database.select(
          'SELECT 1 FROM dashboard__user_totals WHERE created_at >= :late',
          { late },
        )
      ).length,
    ).toBe(0)
    await compared(ada, '/api/data/self?')
    await count()
    expect(await summed()).toHaveLength(15)
    await compared(ada, '/api/data/self?')
  })

  it('are made anew where a version has counted that knows nothing of them', async () => {
    const [progress] = await app.database.select<{ id: number }>(
      'SELECT last_id AS id FROM dashboard__progress',
    )
    const id = progress?.id ?? 0
    const late = hour - hoursOf(30)
    await write(late)
    await addHours(app.database, { id, after: -1, to: id + 1 })
    await app.database.run(
      'UPDATE dashboard__progress SET last_id = :id, thirds_id = :id, last_created_at = :late',
      { id: id + 1, late },
    )
    await count()
    await compared(ada, '/api/data/self?')
  })

  it('are left out where the user had two names', async () => {
    await write(hour - hoursOf(61), 'lovelace')
    await count()
    expect(await summed()).toHaveLength(14)
    await compared(ada, '/api/data/self?')
  })
})

type Row = Pick<DataRow, 'created_at' | 'quota' | 'count' | 'token_used'>

function sumsByTime(rows: readonly Row[]): string[] {
  const sums = new Map<number, Row>()
  for (const { created_at, quota, count, token_used } of rows) {
    const sum = sums.get(created_at) ?? { created_at, quota: 0, count: 0, token_used: 0 }
    sum.quota += quota
    sum.count += count
    sum.token_used += token_used
    sums.set(created_at, sum)
  }
  return [...sums.values()].sort((a, b) => a.created_at - b.created_at).map(textOf)
}

function textOf({ created_at: at, quota, count, token_used: tokens }: Row): string {
  return `${at}: ${count} calls, ${quota} quota, ${tokens} tokens`
}
