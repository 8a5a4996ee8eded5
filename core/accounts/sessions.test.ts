import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  createBus,
  createCoreServices,
  type CoreServices,
} from '../../test/harness/core-services.ts'
import { databaseKinds } from '../../test/harness/databases.ts'
import { SESSION_SECONDS, Sessions } from './sessions.ts'

describe.each(databaseKinds)('sessions on $name', (kind) => {
  let services: CoreServices
  let here: Sessions
  let there: Sessions
  let nowMs = Date.parse('2026-01-01T00:00:00Z')

  beforeAll(async () => {
    services = await createCoreServices(kind)
  })
  afterAll(() => services.close())
  let bus: ReturnType<typeof createBus>
  beforeEach(() => {
    bus = createBus()
    const node = (id: string) =>
      new Sessions({ ...services, cluster: bus.join(id), now: () => nowMs })
    here = node('node-1')
    there = node('node-2')
  })
  afterEach(async () => {
    here.close()
    there.close()
    await services.removeAccounts()
  })

  const start = (userId: number | null, data = {}) =>
    here.start({ userId, data, address: '192.0.2.1', userAgent: 'test' })

  it('finds a session by its secret and keeps the secret nowhere', async () => {
    const { secret, session } = await start(7, { aff: 'abcd' })
    expect(await there.read(secret)).toEqual(session)
    expect(session).toMatchObject({ userId: 7, data: { aff: 'abcd' } })
    const rows = await services.database.select('SELECT * FROM sessions')
    expect(JSON.stringify(rows)).not.toContain(secret)
  })

  it.each(['', 'short', 'x'.repeat(43), "' OR 1=1 --"])(
    'knows no session of "%s"',
    async (secret) => {
      await start(7)
      expect(await here.read(secret)).toBeUndefined()
    },
  )

  it('forgets what it kept of sessions after a gap in the bus', async () => {
    const { secret } = await start(7)
    expect(await there.read(secret)).toBeDefined()
    await services.database.run('DELETE FROM sessions')
    expect(await there.read(secret)).toBeDefined()
    await bus.gap()
    expect(await there.read(secret)).toBeUndefined()
  })

  it('ends a session after 30 days', async () => {
    const { secret } = await start(7)
    nowMs += (SESSION_SECONDS - 1) * 1000
    expect(await here.read(secret)).toBeDefined()
    nowMs += 1000
    expect(await here.read(secret)).toBeUndefined()
  })

  it('ends one in which nobody has signed in after a day', async () => {
    const { secret } = await start(null, { aff: 'abcd' })
    nowMs += 86_399_000
    expect(await here.read(secret)).toBeDefined()
    nowMs += 1000
    expect(await here.read(secret)).toBeUndefined()
  })

  it('keeps nothing of a session that ends while it is being read', async () => {
    const { secret, session } = await start(7)
    const select = services.database.select.bind(services.database)
    const { promise: ended, resolve: goOn } = Promise.withResolvers<void>()
    const found = vi.fn()
    vi.spyOn(services.database, 'select').mockImplementationOnce(async (...query) => {
      const rows = await select(...query)
      found()
      await ended
      return rows
    })
    const reading = there.read(secret)
    await expect.poll(() => found.mock.calls.length).toBe(1)
    await here.end(session.id)
    goOn()
    await reading
    expect(await there.read(secret)).toBeUndefined()
  })

  it('ends all sessions of a user on every node at once, but for the one that is kept', async () => {
    const [kept, ended, other] = [await start(7), await start(7), await start(8)]
    for (const { secret } of [kept, ended, other]) await there.read(secret)
    await here.endAll(7, { exceptId: kept.session.id })
    expect(await there.read(ended.secret)).toBeUndefined()
    expect(await there.read(kept.secret)).toBeDefined()
    expect(await there.read(other.secret)).toBeDefined()
  })

  it('keeps the sessions when the transaction that ends them is rolled back', async () => {
    const { secret } = await start(7)
    const attempt = services.database.transaction(async (transaction) => {
      await here.endAll(7, { transaction })
      throw new Error('no')
    })
    await expect(attempt).rejects.toThrow('no')
    expect(await there.read(secret)).toBeDefined()
  })

  it('keeps both of two values that are written at once', async () => {
    const { secret, session } = await start(null)
    await Promise.all([
      here.setValue(session.id, 'oauth_state', 'one'),
      there.setValue(session.id, 'aff', 'abcd'),
    ])
    expect((await here.read(secret))?.data).toEqual({ oauth_state: 'one', aff: 'abcd' })
  })

  it('removes rows that have expired', async () => {
    await start(7)
    nowMs += SESSION_SECONDS * 1000 + 1
    await start(8)
    const rows = await services.database.select('SELECT user_id FROM sessions')
    expect(rows).toEqual([{ user_id: 8 }])
  })

  it('removes them also where the clock was set back since it last did', async () => {
    const days = 86_400_000
    await start(7)
    nowMs -= 40 * days
    await start(8)
    nowMs += 39 * days
    await start(9)
    const rows = await services.database.select('SELECT user_id FROM sessions ORDER BY user_id')
    expect(rows).toEqual([{ user_id: 7 }, { user_id: 9 }])
  })
})
