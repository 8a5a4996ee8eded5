import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { databaseKinds } from '../../test/harness/databases.ts'
import type { InjectClient } from '../../test/harness/inject-client.ts'
import { createPluginApp, type PluginApp } from '../../test/harness/plugin-app.ts'
import { HourSums } from './hour-sums.ts'
import overview from './index.ts'
import type { AdminOverview, OwnOverview } from './schema.ts'

const daySeconds = 86_400
const midnight = Math.floor(Date.now() / 1000 / daySeconds) * daySeconds

describe.each(databaseKinds)('the overview on $name', (kind) => {
  let app: PluginApp
  let ada: InjectClient
  let admin: InjectClient
  let adaId: number
  let adminId: number

  beforeAll(async () => {
    app = await createPluginApp({
      plugins: [overview],
      kind,
      services: {
        channels: { enabledModels: async () => ['gpt-4o', 'house-model'] } as never,
      },
    })
    adaId = (await app.accounts.create({ username: 'ada', by: 'admin', quota: 900 })).id
    adminId = (await app.accounts.create({ username: 'boss', role: 10, by: 'admin' })).id
    ada = await app.signedIn(adaId)
    admin = await app.signedIn(adminId)
    await addRows()
  })

  afterAll(() => app.close())

  async function addRow(row: Record<string, unknown>): Promise<void> {
    const columns = { user_id: adaId, type: 2, token_id: 1, token_name: 'laptop', ...row }
    const names = Object.keys(columns).join(', ')
    const marks = Object.keys(columns).map((name) => `:${name}`)
    await app.database.run(`INSERT INTO logs (${names}) VALUES (${marks.join(', ')})`, columns)
  }

  async function addRows(): Promise<void> {
    await addRow({ created_at: midnight - 8 * daySeconds, quota: 1_000 })
    await addRow({ created_at: midnight - 1, quota: 30, model_name: 'gpt-4o' })
    await addRow({ created_at: midnight, quota: 5, model_name: 'gpt-4o', use_time_ms: 840 })
    await addRow({ created_at: midnight, type: 5 })
    await addRow({ created_at: midnight, user_id: adminId, quota: 7, token_id: 0 })
    const test = { token_id: 0, token_name: 'channel test', quota: 99 }
    await addRow({ created_at: midnight, user_id: adminId, ...test })
    await app.database.run('UPDATE users SET request_count = 3 WHERE id = :adaId', { adaId })
    await app.database.run(
      `INSERT INTO channels (type, "key", name, created_time, status, other_info)
       VALUES (1, '', 'vendor', 1, 3, :info), (1, '', 'other', 1, 1, '')`,
      { info: JSON.stringify({ status_reason: 'key is dead', status_time: 17 }) },
    )
  }

  const ask = <T>(client: InjectClient, path: string, start: unknown = midnight) =>
    client.call<T>('GET', `${path}?start=${String(start)}`)

  it('shows admins what was spent, called and failed, without channel tests', async () => {
    const { data } = await ask<AdminOverview>(admin, '/api/overview')
    expect(data.today).toEqual({ quota: 12, calls: 2, errors: 1 })
    expect(data.days.map(({ quota }) => quota)).toEqual([0, 0, 0, 0, 0, 30, 12])
  })

  it('counts a call that came after the first look', async () => {
    const before = (await ask<AdminOverview>(admin, '/api/overview', midnight - 900)).data
    await addRow({ created_at: midnight, quota: 0, model_name: 'late' })
    // Uses another span, for which no answer is kept.
    const { data } = await ask<AdminOverview>(admin, '/api/overview', midnight - 1_800)
    expect(data.today.calls).toBe(before.today.calls + 1)
  })

  it('names the channels that were switched off and the accounts that run dry', async () => {
    const { data } = await ask<AdminOverview>(admin, '/api/overview')
    expect(data.channels).toMatchObject({
      enabled: 1,
      off_count: 1,
      off: [{ name: 'vendor', status_reason: 'key is dead', status_time: 17 }],
    })
    expect(data.low_balances).toMatchObject({ count: 1, users: [{ id: adaId, quota: 900 }] })
  })

  it('knows which steps to the first call are done', async () => {
    const { data } = await ask<AdminOverview>(admin, '/api/overview')
    expect(data.checklist).toMatchObject({ channel: true, price: true, token: false, call: true })
    // The other model of the channel.
    expect(data.checklist.unpriced).toBe(1)
    expect(data.checklist.last_call).toMatchObject({ model_name: 'late' })
  })

  it('shows a user his own figures and nobody else’s', async () => {
    const { data } = await ask<OwnOverview>(ada, '/api/overview/self')
    expect(data).toMatchObject({ quota: 900, request_count: 3 })
    expect(data.today).toMatchObject({ quota: 5, errors: 1 })
    expect(data.days.at(-2)?.quota).toBe(30)
    expect(data.last_call).toMatchObject({ model_name: 'late', token_name: 'laptop' })
    expect(Object.keys(data)).not.toContain('channels')
  })

  it.each([
    { who: 'a visitor', path: '/api/overview', status: 401 },
    { who: 'a visitor', path: '/api/overview/self', status: 401 },
    { who: 'a user', path: '/api/overview', status: 200 },
  ])('refuses $path to $who', async ({ who, path, status }) => {
    const client = who === 'a user' ? ada : app.client()
    const answer = await ask(client, path)
    expect(answer).toMatchObject({ success: false, status })
  })

  it.each([
    { who: 'one user', userId: () => adaId },
    { who: 'all', userId: () => undefined },
  ])(
    'counts what comes in hours of $who that were over before the clock was set back',
    async ({ userId }) => {
      vi.useFakeTimers({ toFake: ['Date', 'performance'] })
      onTestFinished(() => void vi.useRealTimers())
      const sums = new HourSums(app)
      const quota = async () => (await sums.days(midnight, 1, userId()))[0]?.quota ?? NaN
      vi.setSystemTime((midnight + 7_800) * 1_000)
      const before = await quota()
      vi.setSystemTime((midnight + 3_660) * 1_000)
      expect(await quota()).toBe(before)
      await addRow({ created_at: midnight + 3_665, quota: 11 })
      vi.advanceTimersByTime(10_000)
      expect(await quota()).toBe(before + 11)
    },
  )

  it.each(['', 'x', '-1', '1.5', '1e99'])('refuses the start "%s"', async (start) => {
    const answer = await ask(admin, '/api/overview', start)
    expect(answer.success).toBe(false)
  })
})
