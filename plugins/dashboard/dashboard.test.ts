import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPluginApp, databaseKinds, type InjectClient, type PluginApp } from '#test'
import { countHours } from './count-hours.ts'
import dashboard from './index.ts'
import type { DataRow } from './schema.ts'

/** 2026-11-20 10:00 UTC, a Friday. */
const hour = 1_795_168_800

describe.each(databaseKinds)('the data dashboard on $name', (kind) => {
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
  })

  beforeEach(async () => {
    await app.database.run('DELETE FROM logs')
    await app.database.run('DELETE FROM dashboard__hours')
    await app.database.run('UPDATE dashboard__progress SET last_id = 0, last_created_at = 0')
  })

  afterAll(() => app.close())

  const write = (row: object = {}) =>
    app.database.run(
      `INSERT INTO logs (user_id, username, created_at, type, model_name, quota, prompt_tokens, completion_tokens, token_id, token_name)
       VALUES (:user_id, :username, :created_at, :type, :model_name, :quota, 10, 5, :token_id, :token_name)`,
      {
        user_id: adaId,
        username: 'ada',
        created_at: hour + 60,
        type: 2,
        model_name: 'm',
        quota: 100,
        token_id: 7,
        token_name: 'work',
        ...row,
      },
    )
  const count = (isCounted = true) =>
    countHours(app.database, { isCounted, settleMs: 0, nowSeconds: 77 })
  const rowsOf = async (client: InjectClient, path: string) => {
    const answer = await client.call('GET', path)
    expect(answer).toMatchObject({ success: true })
    return answer['data'] as DataRow[]
  }
  const span = `start_timestamp=${hour - 86_400}&end_timestamp=${hour + 86_400}`

  it('sums calls by hour, model and user, each of them once', async () => {
    await write()
    await write({ created_at: hour + 3599 })
    await count()
    await write({ created_at: hour + 3600 })
    await write({ model_name: 'other' })
    await Promise.allSettled([count(), count()])
    await count()
    expect(await rowsOf(ada, `/api/data/self/?${span}`)).toMatchObject([
      { created_at: hour, model_name: 'm', count: 2, quota: 200, token_used: 30, username: 'ada' },
      { created_at: hour, model_name: 'other', count: 1, quota: 100, token_used: 15 },
      { created_at: hour + 3600, model_name: 'm', count: 1, quota: 100, token_used: 15 },
    ])
  })

  it('counts neither channel tests nor rows that are no consumption', async () => {
    await write({ token_id: 0, token_name: 'channel test' })
    await write({ type: 5 })
    await count()
    expect(await rowsOf(ada, `/api/data/self?${span}`)).toEqual([])
  })

  it('counts the calls of a token that somebody named like a test', async () => {
    await write({ token_name: 'channel test' })
    await count()
    expect(await rowsOf(ada, `/api/data/self?${span}`)).toMatchObject([{ count: 1, quota: 100 }])
  })

  it('never counts what came while it was switched off', async () => {
    await write()
    await count(false)
    await write({ model_name: 'later' })
    await count()
    expect(await rowsOf(ada, `/api/data/self?${span}`)).toMatchObject([{ model_name: 'later' }])
  })

  it('goes on after the log was cleared', async () => {
    await write()
    await count()
    await app.database.run('DELETE FROM logs')
    await count()
    await write({ created_at: hour + 120, model_name: 'new' })
    await count()
    const rows = await rowsOf(ada, `/api/data/self?${span}`)
    expect(rows.map(({ model_name, count: calls }) => [model_name, calls])).toEqual([
      ['m', 1],
      ['new', 1],
    ])
  })

  it('is counted by its job, once in an interval', async () => {
    const job = app.contributions.jobs.list().find(({ id }) => id === 'count-hours')
    const run = () => job?.run(new AbortController().signal)
    await write()
    await run()
    await write({ model_name: 'later' })
    await run()
    const rows = await rowsOf(ada, `/api/data/self?${span}`)
    expect(rows.map(({ model_name }) => model_name)).toEqual(['m'])
  })

  it('shows admins the sum of all users, one user, and who spent most', async () => {
    await write()
    await write({ user_id: 999, username: 'bob', quota: 300 })
    await count()
    expect(await rowsOf(admin, `/api/data/?${span}`)).toEqual([
      {
        id: 0,
        user_id: 0,
        username: '',
        model_name: 'm',
        created_at: hour,
        token_used: 30,
        count: 2,
        quota: 400,
      },
    ])
    expect(await rowsOf(admin, `/api/data/?${span}&username=bob`)).toMatchObject([
      { user_id: 999, username: 'bob', quota: 300 },
    ])
    expect(await rowsOf(admin, `/api/data/users?${span}`)).toMatchObject([
      { username: 'bob', quota: 300 },
      { username: 'ada', quota: 100 },
    ])
  })

  it('finds a renamed user under both names by id', async () => {
    await write({ user_id: 999, username: 'bob', quota: 300 })
    await write({ user_id: 999, username: 'robert', quota: 200, created_at: hour + 3600 })
    await write({ user_id: 998, username: 'bob', quota: 50 })
    await count()
    const rows = await rowsOf(admin, `/api/data/?${span}&username=bob&user_id=999`)
    expect(rows.map(({ quota }) => quota)).toEqual([300, 200])
  })

  it('sums days and weeks as they begin where the reader lives', async () => {
    await write({ created_at: hour })
    await write({ created_at: hour + 6 * 3600 })
    await write({ created_at: hour + 15 * 3600 })
    await count()
    const path = `/api/data/self?${span}&timezone_offset=28800`
    // In China the second call is on Saturday, 21 November, as is the third.
    expect(await rowsOf(ada, `${path}&default_time=day`)).toMatchObject([
      { created_at: hour - 18 * 3600, count: 1 },
      { created_at: hour + 6 * 3600, count: 2 },
    ])
    expect(await rowsOf(ada, `${path}&default_time=week`)).toMatchObject([
      { created_at: hour - 18 * 3600 - 4 * 86_400, count: 3 },
    ])
    expect(await rowsOf(ada, `/api/data/self?${span}&default_time=week`)).toHaveLength(3)
  })

  it('says when it was counted last', async () => {
    await count()
    expect(await ada.call('GET', '/api/data/self')).toMatchObject({ data: [], counted_at: 77 })
  })

  it('refuses spans that are too long, and takes what is no number for none', async () => {
    const long = (days: number) => `start_timestamp=${hour - days * 86_400}&end_timestamp=${hour}`
    expect(await ada.call('GET', `/api/data/self?${long(30)}`)).toMatchObject({ success: true })
    expect(await ada.call('GET', `/api/data/self?${long(31)}`)).toMatchObject({ success: false })
    expect(await admin.call('GET', `/api/data/?${long(366)}`)).toMatchObject({ success: true })
    expect(await admin.call('GET', `/api/data/?${long(367)}`)).toMatchObject({ success: false })
    const none = 'start_timestamp=NaN&end_timestamp=undefined&timezone_offset=x'
    expect(await ada.call('GET', `/api/data/self?${none}`)).toMatchObject({ success: true })
  })

  it('is closed to whom it is not for', async () => {
    expect(await ada.call('GET', '/api/data/')).toMatchObject({ success: false })
    expect(await ada.call('GET', '/api/data/users')).toMatchObject({ success: false })
    expect((await app.client().call('GET', '/api/data/self')).status).toBe(401)
    const foreign = await rowsOf(ada, '/api/data/self?username=boss')
    expect(foreign).toEqual([])
  })
})
