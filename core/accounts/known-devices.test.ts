import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CoreServices, createCoreServices } from '../../test/harness/core-services.ts'
import { databaseKinds } from '../../test/harness/databases.ts'
import { DEVICE_SECONDS } from './known-devices.ts'
import { Sessions } from './sessions.ts'

describe.each(databaseKinds)('known devices on $name', (kind) => {
  let services: CoreServices
  let here: Sessions
  let there: Sessions
  let nowMs = Date.parse('2026-01-01T00:00:00Z')

  beforeAll(async () => {
    services = await createCoreServices(kind)
  })
  afterAll(() => services.close())
  beforeEach(() => {
    const node = (id: string) =>
      new Sessions({ ...services, cluster: services.bus.join(id), now: () => nowMs })
    here = node('node-1')
    there = node('node-2')
  })
  afterEach(async () => {
    here.close()
    there.close()
    await services.removeAccounts()
  })

  const remember = async (userId: number, cookie?: string, sessionId = 'session') =>
    (await here.devices.remember(cookie, { userId, sessionId })).cookie
  const usersOf = async (cookie: string) => [...(await there.devices.find(cookie)).keys()]

  it('are known on every node, to the account that signed in there', async () => {
    expect(await usersOf(await remember(7))).toEqual([7])
  })

  it.each(['', 'x', 'x'.repeat(43), "' OR 1=1 --", `${'x'.repeat(43)}.`])(
    'are not known by "%s"',
    async (cookie) => {
      await remember(7)
      expect(await usersOf(cookie)).toEqual([])
    },
  )

  it('are told from those that are new to an account', async () => {
    const at = (userId: number, cookie?: string) =>
      here.devices.remember(cookie, { userId, sessionId: 'session' })
    const first = await at(7)
    const second = await at(8, first.cookie)
    const third = await at(7, second.cookie)
    expect([first, second, third].map(({ wasKnown }) => wasKnown)).toEqual([false, false, true])
  })

  it('get a new secret at each sign-in, and the one before is worth nothing', async () => {
    const before = await remember(7)
    const after = await remember(7, before)
    expect(await usersOf(before)).toEqual([])
    expect(await usersOf(after)).toEqual([7])
  })

  it('never take over the secret that somebody planted', async () => {
    const planted = await remember(8)
    const cookie = await remember(7, planted)
    expect(await usersOf(planted)).toEqual([8])
    expect(new Set(await usersOf(cookie))).toEqual(new Set([7, 8]))
  })

  it('are known to the last four accounts', async () => {
    let cookie: string | undefined
    for (const userId of [1, 2, 3, 4, 5]) cookie = await remember(userId, cookie)
    expect(new Set(await usersOf(cookie ?? ''))).toEqual(new Set([2, 3, 4, 5]))
  })

  it('are at most twenty of an account', async () => {
    const cookies: string[] = []
    for (let count = 0; count < 22; count += 1) {
      nowMs += 1000
      cookies.push(await remember(7))
    }
    const known = await Promise.all(cookies.map(usersOf))
    expect(known.filter((users) => users.length > 0)).toHaveLength(20)
    expect(known.slice(0, 2)).toEqual([[], []])
  })

  it('are forgotten with all sessions, but for the one that goes on', async () => {
    const [kept, ended, other] = [
      await remember(7, undefined, 'kept'),
      await remember(7, undefined, 'ended'),
      await remember(8, undefined, 'other'),
    ]
    await here.endAll(7, { exceptId: 'kept' })
    expect(await Promise.all([kept, ended, other].map(usersOf))).toEqual([[7], [], [8]])
    await here.endAll(7)
    expect(await usersOf(kept)).toEqual([])
  })

  it('outlive a session, and end after half a year', async () => {
    const cookie = await remember(7)
    nowMs += (DEVICE_SECONDS - 1) * 1000
    expect(await usersOf(cookie)).toEqual([7])
    nowMs += 1000
    expect(await usersOf(cookie)).toEqual([])
    await here.start({ userId: 8, data: {}, address: '', userAgent: '' })
    expect(await services.database.select('SELECT * FROM known_devices')).toEqual([])
  })
})
