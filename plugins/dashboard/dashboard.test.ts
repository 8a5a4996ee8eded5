import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPluginApp, databaseKinds, type InjectClient, type PluginApp } from '#test'
import { createUsageLog } from '../../core/logs/usage-log.ts'
import { quietLog } from '../../test/harness/quiet-log.ts'
import { countHours } from './count-hours.ts'
import { sumDayBefore } from './count-hours-sql.ts'
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
    for (const table of ['logs', 'log_quarters']) await app.database.run(`DELETE FROM ${table}`)
    await app.database.run('UPDATE log_progress SET last_id = 0')
    for (const table of ['hours', 'models', 'thirds', 'totals', 'users'])
      await app.database.run(`DELETE FROM dashboard__${table}`)
    await app.database.run(
      `UPDATE dashboard__progress SET last_id = 0, last_created_at = 0, summed_from = 0,
         thirds_id = 0, thirds_from = 0`,
    )
  })

  afterAll(() => app.close())

  const write = (row: { id?: number; [column: string]: unknown } = {}) =>
    app.database.run(
      `INSERT INTO logs (${row.id === undefined ? '' : 'id, '}user_id, username, created_at, type, model_name, quota, prompt_tokens, completion_tokens, token_id, token_name)
       VALUES (${row.id === undefined ? '' : ':id, '}:user_id, :username, :created_at, :type, :model_name, :quota, 10, 5, :token_id, :token_name)`,
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

  it('sums to what the rows themselves add up to', async () => {
    for (const part of [0, 1, 2]) {
      await app.database.run(
        `WITH RECURSIVE series (n) AS (SELECT CAST(:from AS BIGINT) UNION ALL SELECT n + 1 FROM series WHERE n < :from + 3999)
         INSERT INTO logs (user_id, username, created_at, type, model_name, quota, prompt_tokens, completion_tokens, token_id, token_name)
         SELECT 1 + n % 7, CASE WHEN n % 14 = 3 THEN 'renamed' ELSE 'u' || (n % 7) END, ${hour} + (n * 7919) % 200000,
           CASE WHEN n % 11 = 0 THEN 5 ELSE 2 END, 'm ' || (n % 5), n % 13, n % 3, n % 4, 0,
           CASE WHEN n % 17 = 0 THEN 'channel test' ELSE 't' END FROM series`,
        { from: part * 4_000 },
      )
      await count()
    }
    const sums = ['prompt_tokens + completion_tokens', '1', 'quota'].map(
      (value, at) => `CAST(SUM(${value}) AS BIGINT) AS ${['token_used', 'count', 'quota'][at]}`,
    )
    const rows = `FROM logs WHERE type = 2 AND token_name <> 'channel test'`
    const day = 'created_at - created_at % 86400 AS created_at'
    for (const [table, key] of [
      ['hours', 'user_id, model_name, created_at - created_at % 3600 AS created_at'],
      ['models', 'model_name, created_at - created_at % 3600 AS created_at'],
      ['thirds', 'model_name, created_at - created_at % 28800 AS created_at'],
      ['totals', 'created_at - created_at % 3600 AS created_at'],
      ['users', `user_id, ${day}`],
    ] as const) {
      const columns = key.replaceAll(/created_at - .* AS created_at/g, 'created_at')
      const grouped = columns.split(', ').map((_column, at) => at + 1)
      const wanted = await app.database.select(
        `SELECT ${key}, ${sums.join(', ')} ${rows} GROUP BY ${grouped.join(', ')} ORDER BY ${grouped.join(', ')}`,
      )
      expect(wanted.length).toBeGreaterThan(15)
      const found = await app.database.select(
        `SELECT ${columns}, token_used, count, quota FROM dashboard__${table} ORDER BY ${grouped.join(', ')}`,
      )
      expect(found).toEqual(wanted)
    }
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

  it('counts what came before it was switched off, and skips what came before it was switched on', async () => {
    const read = () => app.database.select('SELECT last_id FROM dashboard__progress')
    const turn = async (value: 'true' | 'false') => {
      const newest = await app.database.select('SELECT MAX(id) AS last_id FROM logs')
      await app.options.set('DataExportEnabled', value)
      await expect.poll(read, { timeout: 15_000 }).toEqual(newest)
    }
    await write({ model_name: 'before' })
    await turn('false')
    await write({ model_name: 'meanwhile' })
    await turn('true')
    await write({ model_name: 'after' })
    await count()
    const rows = await rowsOf(ada, `/api/data/self?${span}`)
    expect(rows.map(({ model_name }) => model_name).toSorted()).toEqual(['after', 'before'])
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

  it('goes on where the log was cleared past the last row that it had counted', async () => {
    await write({ created_at: hour })
    await count()
    await app.database.run('DELETE FROM logs')
    // Deleted before they were counted; those behind them stayed, with ids far behind the last one counted.
    const id = 1_000_000
    await write({ created_at: hour + 70, id })
    await write({ created_at: hour + 3_600, id: id + 1 })
    await count()
    expect(await rowsOf(admin, `/api/data/?${span}`)).toMatchObject([
      { created_at: hour, count: 2 },
      { created_at: hour + 3_600, count: 1 },
    ])
  })

  /** What an admin does on one of several nodes. */
  const clear = (before: number, most?: number) =>
    createUsageLog({
      database: app.database,
      settleMs: 0,
      readers: { log: quietLog, jobs: () => app.contributions.jobs.owned() },
    }).deleteBefore(before, most)

  it('counts rows that are deleted before its job has come to them', async () => {
    await write()
    await count()
    for (let at = 0; at < 30; at += 1) await write({ created_at: hour + at })
    await write({ created_at: hour + 7_200 })
    expect(await clear(hour + 3_600)).toBe(31)
    await count()
    expect(await rowsOf(admin, `/api/data/?${span}`)).toMatchObject([
      { created_at: hour, count: 31, quota: 3_100 },
      { created_at: hour + 7_200, count: 1 },
    ])
  })

  it('counts each row once while two nodes delete and count', async () => {
    for (let at = 0; at < 20; at += 1) await write({ created_at: hour + at })
    const both = () => [clear(hour + 3_600, 7), clear(hour + 3_600), count(), count()]
    const writing = async () => {
      for (let at = 0; at < 10; at += 1) await write({ created_at: hour + 100 + at })
    }
    const ended = await Promise.allSettled([...both(), writing(), ...both()])
    expect(ended.filter(({ status }) => status === 'rejected')).toEqual([])
    await clear(hour + 3_600)
    await count()
    expect(await rowsOf(admin, `/api/data/?${span}`)).toMatchObject([{ count: 30, quota: 3_000 }])
  })

  it('counts rows that have the ids and the second of deleted ones', async () => {
    for (let round = 1; round <= 3; round += 1) {
      for (let row = 0; row <= round; row += 1) await write({ created_at: hour })
      if (round === 2) await count()
      await clear(hour + 1)
    }
    await write({ created_at: hour - 1 })
    await count()
    expect(await rowsOf(admin, `/api/data/?${span}`)).toMatchObject([
      { created_at: hour - 3_600, count: 1 },
      { created_at: hour, count: 9 },
    ])
  })

  it('counts no row that came while it was switched off, nor tells that all is counted, when rows are deleted', async () => {
    await count()
    await app.options.set('DataExportEnabled', 'false')
    await write()
    await clear(hour + 3_600)
    await app.options.set('DataExportEnabled', 'true')
    await write({ model_name: 'later' })
    await clear(hour + 3_600)
    const answer = await admin.call('GET', `/api/data/?${span}`)
    expect(answer).toMatchObject({ data: [{ model_name: 'later' }], counted_at: 77 })
  })

  it('begins with a log of which the oldest rows are gone', async () => {
    await write({ id: 5_000 })
    await count()
    expect(await rowsOf(admin, `/api/data/?${span}`)).toMatchObject([{ count: 1 }])
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

  it('shows the same of the time before sums of all were kept, while they are made', async () => {
    for (const [at, user] of [0, 5, 23, 24, 47, 48, 75].entries()) {
      const row = { created_at: hour - user * 3600, quota: 10 ** at, user_id: 1 + (at % 2) }
      await write({ ...row, username: `u${at % 2}`, model_name: `m${at % 3}` })
    }
    await count()
    const spans = [
      [-80, 5],
      [-47, -5],
      [-30, -30],
      [-24, 0],
      [-10, -9],
      [-57, 13],
    ] as const
    const paths = spans.flatMap(([from, to]) => {
      const query = `start_timestamp=${hour + from * 3600}&end_timestamp=${hour + to * 3600}`
      return [`/api/data/?${query}`, `/api/data/users?${query}`]
    })
    const shown = () => Promise.all(paths.map((path) => rowsOf(admin, path)))
    const wanted = await shown()
    const total = wanted.map((rows) => rows.reduce((sum, { quota }) => sum + quota, 0))
    expect(total.slice(0, 4)).toEqual([1_111_111, 1_111_111, 11_110, 11_110])
    await app.database.run('DELETE FROM dashboard__models')
    await app.database.run('DELETE FROM dashboard__users')
    const day = hour - (hour % 86_400)
    await app.database.run('UPDATE dashboard__progress SET summed_from = :day', {
      day: day + 86_400,
    })
    expect(await shown()).toEqual(wanted)
    await sumDayBefore(app.database, day + 86_400)
    expect(await shown()).toEqual(wanted)
    // A call of a day that has not been summed yet comes late.
    await write({
      created_at: hour - 48 * 3600,
      quota: 0,
      username: 'u1',
      user_id: 2,
      model_name: 'm2',
    })
    await Promise.all([count(), count()])
    const ofLate = (path: number) =>
      wanted[path]?.map((row) => ({ ...row, count: 0, token_used: 0 }))
    const again = await shown()
    for (const [path, rows] of again.entries())
      expect(rows.map((row) => ({ ...row, count: 0, token_used: 0 }))).toEqual(ofLate(path))
    const calls = again[0]?.reduce((sum, row) => sum + row.count, 0)
    expect(calls).toBe(8)
    const [left] = await app.database.select('SELECT summed_from FROM dashboard__progress')
    expect(left).toEqual({ summed_from: 0 })
  })

  it('makes the models of least quota one, where all would be too many rows', async () => {
    await app.database.run(
      `WITH RECURSIVE series (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM series WHERE n < 23999)
       INSERT INTO logs (user_id, username, created_at, type, model_name, quota, prompt_tokens, token_id, token_name)
       SELECT ${adaId}, 'ada', ${hour} - (n / 200) * 3600, 2, 'm' || (n % 200), n % 200, 1, 7, 'work' FROM series`,
    )
    await count()
    for (const [client, path] of [
      [admin, '/api/data/'],
      [ada, '/api/data/self'],
    ] as const) {
      const query = `start_timestamp=${hour - 120 * 3600}&end_timestamp=${hour}`
      const { data, ...answer } = await client.call<DataRow[]>('GET', `${path}?${query}`)
      const rows = data ?? []
      expect(answer).toMatchObject({ success: true, model_count: 200 })
      expect(rows.length).toBeLessThanOrEqual(20_000)
      expect(rows.length).toBeGreaterThan(19_000)
      const sumOf = (of: 'quota' | 'count') => rows.reduce((sum, row) => sum + row[of], 0)
      expect([sumOf('quota'), sumOf('count')]).toEqual([120 * 19_900, 24_000])
      const names = new Set(rows.map(({ model_name }) => model_name))
      expect([names.has('m199'), names.has('m0'), names.has('*')]).toEqual([true, false, true])
      const day = await rowsOf(client, `${path}?${query}&default_time=day&timezone_offset=0`)
      expect(new Set(day.map(({ model_name }) => model_name)).size).toBe(200)
    }
  })

  it('says the same of many models whatever it reads, in every time zone', async () => {
    await app.database.run(
      `WITH RECURSIVE series (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM series WHERE n < 24999)
       INSERT INTO logs (user_id, username, created_at, type, model_name, quota, prompt_tokens, token_id, token_name)
       SELECT 1 + n % 3, 'u', ${hour} - (n / 200) * 3600, 2, 'm' || (n % 200), (n * 7919) % 1000, n % 7, 7, 'work' FROM series`,
    )
    await count()
    const paths = [
      [-119, 3, ''],
      [-119, 3, '&default_time=day&timezone_offset=28800'],
      [-119, 3, '&default_time=day&timezone_offset=19800'],
      [-125, 0, '&default_time=week&timezone_offset=-18000'],
    ].map(
      ([from, to, step]) =>
        `/api/data/?start_timestamp=${hour + Number(from) * 3600 + 60}&end_timestamp=${hour + Number(to) * 3600}${step}`,
    )
    const shown = async () => {
      const answers: object[] = []
      for (const path of paths) {
        const { data, ...answer } = await admin.call<DataRow[]>('GET', path)
        const rows = data.map(
          (row) =>
            `${row.created_at} ${row.model_name} ${row.count} ${row.quota} ${row.token_used}`,
        )
        const digest = createHash('sha256').update(rows.sort().join()).digest('hex')
        const models = 'model_count' in answer ? answer.model_count : undefined
        answers.push({ path, rows: rows.length, first: rows.slice(0, 3), models, digest })
      }
      return answers
    }
    const wanted = await shown()
    const add = (calls: number) =>
      app.database.run('UPDATE dashboard__thirds SET count = count + :calls', { calls })
    await add(1)
    expect(await shown()).not.toEqual(wanted)
    await add(-1)
    // From the hours alone, as before thirds were kept.
    await app.database.run('UPDATE dashboard__progress SET thirds_from = :end', { end: hour * 2 })
    expect(await shown()).toEqual(wanted)
    // They are made of the time before, and anew where an older version has counted.
    for (const table of ['thirds', 'totals'])
      await app.database.run(`DELETE FROM dashboard__${table}`)
    await count()
    expect(await shown()).toEqual(wanted)
    await app.database.run('UPDATE dashboard__thirds SET count = 0')
    await app.database.run('UPDATE dashboard__progress SET last_id = last_id - 1')
    expect(await shown()).toEqual(wanted)
    await app.database.run('UPDATE dashboard__progress SET last_id = last_id + 1, thirds_id = 5')
    await write({ created_at: hour - 200 * 3600 })
    await count()
    expect(await shown()).toEqual(wanted)
    const [progress] = await app.database.select(
      'SELECT thirds_from, last_id - thirds_id AS behind FROM dashboard__progress',
    )
    expect(progress).toEqual({ thirds_from: 0, behind: 0 })
  })

  it('says when it was counted last', async () => {
    await count()
    expect(await ada.call('GET', '/api/data/self')).toMatchObject({ data: [], counted_at: 77 })
  })

  it.each(['LogConsumeEnabled', 'DataExportEnabled'])(
    'says that calls are not counted while %s is off',
    async (key) => {
      const own = '/api/data/self'
      expect(await ada.call('GET', own)).not.toHaveProperty('is_stopped')
      await app.options.set(key, 'false')
      expect(await ada.call('GET', own)).toMatchObject({ is_stopped: true })
      await app.options.set(key, 'true')
    },
  )

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
