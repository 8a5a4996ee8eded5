import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPluginApp, databaseKinds, type InjectClient, type PluginApp } from '#test'
import { createUsageLog } from '../../core/logs/usage-log.ts'
import { aroundSlices } from '../../test/harness/faults/around-slices.ts'
import { quietLog } from '../../test/harness/quiet-log.ts'
import { LogClearing } from './clearing.ts'
import logs from './index.ts'
import type { Clearing } from './schema.ts'

const target = 1_760_000_000

describe.each(databaseKinds)('clearing the log on $name', (kind) => {
  let app: PluginApp
  let boss: InjectClient
  let root: InjectClient
  let ada: InjectClient
  /** Resolves when the next slice may go on. */
  let hold: (() => Promise<unknown>) | undefined

  beforeAll(async () => {
    app = await createPluginApp({
      plugins: [logs],
      kind,
      services: async ({ database }) => ({
        usageLog: createUsageLog({
          database: aroundSlices(database, async (take) => {
            await hold?.()
            return take()
          }),
          settleMs: 0,
        }),
      }),
    })
    const password = 'correct horse'
    const signedIn = async (username: string, role: number) => {
      const user = await app.accounts.create({ username, password, role, by: 'setup' })
      return app.signedIn(user.id)
    }
    boss = await signedIn('boss', 10)
    root = await signedIn('root', 100)
    ada = await signedIn('ada', 1)
  })
  beforeEach(async () => {
    hold = undefined
    await app.database.run('DELETE FROM logs')
    await app.database.run(`UPDATE logs__clearing SET state = '', cleared = 0`)
  })
  afterAll(() => app.close())

  const path = '/api/log/clearing'
  const shown = async () => (await root.call<Clearing | null>('GET', path)).data
  const begin = (client = boss, time = target) =>
    client.call<Clearing>('POST', path, { target_timestamp: time })
  const write = (count: number, at = target - 10_000) =>
    app.database.run(
      `WITH RECURSIVE series (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < :count)
       INSERT INTO logs (user_id, username, created_at, type, quota) SELECT 1, 'ann', CAST(:at AS BIGINT) + n, 2, 1 FROM series`,
      { count, at },
    )
  const ended = (state: Clearing['state']) => expect.poll(shown).toMatchObject({ state })
  const left = async () => {
    const [log] = await app.database.select<{ rows: number }>('SELECT COUNT(*) AS rows FROM logs')
    return log?.rows
  }

  const otherProcess = () => {
    const { database } = app
    return new LogClearing({
      database,
      log: quietLog,
      usageLog: createUsageLog({ database, settleMs: 0 }),
    })
  }

  it('goes on when nobody looks, and says who cleared how much', async () => {
    expect(await shown()).toBeNull()
    await write(1_200)
    await write(3, target)
    const now = Math.floor(Date.now() / 1000)
    const { data } = await begin()
    expect(data).toMatchObject({ username: 'boss', target_timestamp: target })
    await ended('done')
    const clearing = await shown()
    expect(clearing).toMatchObject({ username: 'boss', target_timestamp: target, cleared: 1_200 })
    expect(clearing?.started_at).toBeGreaterThanOrEqual(now)
    expect(clearing?.ended_at).toBeGreaterThanOrEqual(clearing?.started_at ?? Infinity)
    expect(await left()).toBe(3)
  })

  it('runs once at a time, and shows others how far it is', async () => {
    await write(10)
    const held = Promise.withResolvers<void>()
    hold = () => held.promise
    await begin()
    expect(await shown()).toMatchObject({ state: 'running', username: 'boss', ended_at: 0 })
    expect(await begin(root)).toMatchObject({ success: false, code: 'logs.clearing_runs' })
    held.resolve()
    await ended('done')
    expect((await begin(root)).success).toBe(true)
    await ended('done')
    expect(await shown()).toMatchObject({ username: 'root', cleared: 0 })
  })

  it('says where it broke off, and can be begun again', async () => {
    await write(1_500)
    let slices = 0
    hold = async () => {
      slices += 1
      // Rows are summed before the first one is deleted.
      if (slices === 3) throw new Error('disk full')
    }
    await begin()
    await ended('stopped')
    const { cleared = 0, ended_at } = (await shown()) ?? {}
    expect(cleared).toBeGreaterThan(0)
    expect(await left()).toBe(1_500 - cleared)
    expect(ended_at).toBeGreaterThan(0)
    await begin()
    await ended('done')
    expect(await left()).toBe(0)
  })

  it('is stopped by any admin, and keeps what it has deleted', async () => {
    await write(3_000)
    let slices = 0
    const held = Promise.withResolvers<void>()
    hold = async () => {
      slices += 1
      // Rows are summed before the first one is deleted.
      if (slices === 3) await held.promise
    }
    await begin()
    await expect.poll(() => slices).toBe(3)
    const stopped = await root.call<Clearing>('POST', `${path}/stop`)
    expect(stopped.data).toMatchObject({ state: 'cancelled', username: 'boss' })
    held.resolve()
    const gone = async () => 3_000 - ((await left()) ?? 0)
    await expect.poll(async () => ((await shown())?.cleared ?? 0) - (await gone())).toBe(0)
    expect(await left()).toBeGreaterThan(0)
    expect((await shown())?.ended_at).toBeGreaterThan(0)
    // One whose process was killed is not gone on with, and what is over stays as it is.
    await otherProcess().resume()
    await boss.call('POST', `${path}/stop`)
    expect(await shown()).toMatchObject({ state: 'cancelled' })
    hold = undefined
    await begin()
    await ended('done')
    await boss.call('POST', `${path}/stop`)
    expect(await shown()).toMatchObject({ state: 'done' })
    expect(await left()).toBe(0)
  })

  it('is stopped on another node within some seconds', async () => {
    await write(20_000)
    hold = () => new Promise((resolve) => setTimeout(resolve, 700))
    await begin()
    await otherProcess().cancel()
    const count = () => left().then((rows) => rows ?? 0)
    await expect.poll(async () => (await shown())?.cleared, { timeout: 8_000 }).toBeGreaterThan(0)
    expect(await count()).toBeGreaterThan(0)
    expect(await shown()).toMatchObject({ state: 'cancelled' })
  })

  describe('by the plain call, whose answer waits for the end', () => {
    const plain = (query = '') =>
      boss.call<number>('DELETE', `/api/log/?target_timestamp=${target}${query}`)

    it('shows itself while it runs, and what it came to', async () => {
      await write(700)
      const held = Promise.withResolvers<void>()
      hold = () => held.promise
      const answer = plain()
      await ended('running')
      expect(await shown()).toMatchObject({ username: 'boss', target_timestamp: target })
      held.resolve()
      expect(await answer).toMatchObject({ success: true, data: 700 })
      expect(await shown()).toMatchObject({ state: 'done', cleared: 700 })
    })

    it('says that it was stopped', async () => {
      await write(3_000)
      let slices = 0
      const held = Promise.withResolvers<void>()
      hold = async () => {
        slices += 1
        if (slices === 3) await held.promise
      }
      const answer = plain()
      await expect.poll(() => slices).toBe(3)
      await boss.call('POST', `${path}/stop`)
      held.resolve()
      expect(await answer).toMatchObject({ success: false, code: 'logs.clearing_stopped' })
    })

    it('says where it broke off, and fails', async () => {
      await write(10)
      hold = async () => {
        throw new Error('disk full')
      }
      expect((await plain()).success).not.toBe(true)
      expect(await shown()).toMatchObject({ state: 'stopped', username: 'boss', cleared: 0 })
    })

    it('is not refused beside one that runs, and notes nothing of one with a limit', async () => {
      await write(10)
      await app.database.run(`UPDATE logs__clearing SET state = 'running', username = 'other'`)
      expect(await plain('&limit=3')).toMatchObject({ data: 3 })
      expect(await plain()).toMatchObject({ data: 7 })
      expect(await shown()).toMatchObject({ state: 'running', username: 'other' })
    })
  })

  it('is gone on with at once where the clock was set back after its process had ended', async () => {
    await write(3)
    const clearing = otherProcess()
    const seenIn = (seconds: number) =>
      app.database.run(
        `UPDATE logs__clearing SET state = 'running', claim = 'gone', target_timestamp = :target, seen_at = :seen`,
        { target, seen: Math.floor(Date.now() / 1000) + seconds },
      )
    // Clocks of nodes differ a little.
    await seenIn(30)
    await clearing.resume()
    expect(await left()).toBe(3)
    await seenIn(3_600)
    await clearing.resume()
    expect(await shown()).toMatchObject({ state: 'done', cleared: 3 })
    expect(await left()).toBe(0)
  })

  it('is gone on with by another process where one has ended, and counts on', async () => {
    await write(800)
    const first = otherProcess()
    const stopping = Promise.withResolvers<void>()
    hold = () => stopping.promise
    await begin()
    // The progress that the process had noted before it was killed.
    await app.database.run('UPDATE logs__clearing SET cleared = 5, seen_at = seen_at - 30')
    await first.resume()
    expect(await left()).toBe(800)
    await app.database.run(`UPDATE logs__clearing SET seen_at = seen_at - 40, claim = 'gone'`)
    await Promise.all([first.resume(), otherProcess().resume()])
    expect(await shown()).toMatchObject({ state: 'done', cleared: 805, username: 'boss' })
    stopping.resolve()
    await expect.poll(left).toBe(0)
    expect(await shown()).toMatchObject({ state: 'done', cleared: 805 })
  })

  it('leaves what is to come', async () => {
    const now = Math.floor(Date.now() / 1000)
    await write(3, now + 500)
    await begin(boss, now + 10_000)
    await ended('done')
    expect(await left()).toBe(3)
    expect((await shown())?.target_timestamp).toBeLessThan(now + 500)
  })

  it('is for admins, and takes a time above 0', async () => {
    for (const body of [
      {},
      { target_timestamp: 0 },
      { target_timestamp: '5' },
      { target_timestamp: 1.5 },
    ])
      expect(await boss.call('POST', path, body)).toMatchObject({ success: false })
    expect(await begin(ada)).toMatchObject({ success: false })
    expect(await ada.call('GET', path)).toMatchObject({ success: false })
    expect((await app.client().call('GET', path)).status).toBe(401)
    expect((await app.client().call('POST', path, { target_timestamp: 5 })).status).toBe(401)
    expect(await ada.call('POST', `${path}/stop`)).toMatchObject({ success: false })
    expect(await shown()).toBeNull()
  })
})
