import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ShownToken, TokenInput, TokenRecord } from '../contract/services.ts'
import { fixedClock, type FixedClock } from '../../test/harness/clock.ts'
import {
  createBus,
  createCoreServices,
  type CoreServices,
} from '../../test/harness/core-services.ts'
import { databaseKinds } from '../../test/harness/databases.ts'
import { createTokens, type Tokens } from './tokens.ts'

const ADA = 1
const BOB = 2

describe.each(databaseKinds)('tokens on $name', (kind) => {
  let services: CoreServices
  let clock: FixedClock
  let tokens: Tokens
  let bus: ReturnType<typeof createBus>

  const startTokens = (nodeId: string, now = () => clock.now()) =>
    createTokens({
      ...services,
      pricing: { usableGroups: () => [{ name: 'default', ratio: 1, desc: '' }] },
      cluster: bus.join(nodeId),
      now,
    })
  const nowSeconds = () => Math.floor(clock.now().getTime() / 1000)
  const add = (input: TokenInput = {}) =>
    tokens.create(ADA, { name: 'laptop', remain_quota: 100, ...input })

  beforeAll(async () => {
    services = await createCoreServices(kind)
  })
  afterAll(() => services.close())
  beforeEach(async () => {
    for (const [id, username] of [
      [ADA, 'ada'],
      [BOB, 'bob'],
    ]) {
      await services.database.run(
        'INSERT INTO users (id, username, quota, setting) VALUES (:id, :username, 1000, :setting)',
        { id, username, setting: '{"accept_unset_model_ratio_model":true}' },
      )
    }
    clock = fixedClock()
    bus = createBus()
    tokens = startTokens('here')
  })
  afterEach(async () => {
    tokens.close()
    await services.removeAccounts()
  })

  it('makes no more than a thousand for one user, however many are asked for at once', async () => {
    await services.database.transaction(async (transaction) => {
      for (let place = 0; place < 990; place += 1)
        await services.database.run(
          `INSERT INTO tokens (user_id, "key", key_hash, created_time, accessed_time)
           VALUES (:user, '', :hash, 0, 0)`,
          { user: BOB, hash: `bob ${place}` },
          transaction,
        )
    })
    const made = await Promise.allSettled(
      Array.from({ length: 20 }, () => tokens.create(BOB, { name: 'one of many' })),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    expect((await tokens.list(BOB, { offset: 0, limit: 1 })).total).toBe(1000)
  })

  it('reads a token anew as soon as the ledger has found it used up', async () => {
    const { id, key } = await add()
    expect(await tokens.authenticate(key)).toMatchObject({ status: 1 })
    await services.database.run('UPDATE tokens SET status = 4, remain_quota = 0 WHERE id = :id', {
      id,
    })
    services.events.emit('token.exhausted', { tokenId: id })
    expect(await tokens.authenticate(key)).toMatchObject({ status: 4 })
  })

  describe('making and changing', () => {
    it('makes a key of 48 characters, found by nothing in the table', async () => {
      const token = await add()
      expect(token).toMatchObject({ user_id: ADA, status: 1, expired_time: -1, DeletedAt: null })
      expect(token.unlimited_quota).toBe(false)
      expect(token.key).toMatch(/^[0-9A-Za-z]{48}$/)
      const rows = await services.database.select('SELECT * FROM tokens')
      expect(JSON.stringify(rows)).not.toContain(token.key)
    })

    it.each([
      { input: { name: '名'.repeat(31) }, code: 'token.name_too_long' },
      { input: { name: '\u202enimda' }, code: 'request.unseen_character' },
      { input: { remain_quota: -1 }, code: 'token.quota_invalid' },
      { input: { remain_quota: 1.5 }, code: 'token.quota_invalid' },
      { input: { expired_time: -2 }, code: 'token.expiry_invalid' },
      { input: { allow_ips: '1.2.3.4\nhost' }, code: 'token.address_invalid' },
      { input: { group: 'vip' }, code: 'token.group_not_usable' },
    ])('refuses $input with $code, naming the field', async ({ input, code }) => {
      const [field] = Object.keys(input)
      await expect(add(input)).rejects.toMatchObject({ code, field })
      expect((await tokens.list(ADA, { offset: 0, limit: 9 })).total).toBe(0)
    })

    it.each(['', 'auto', 'default'])('takes the group "%s"', async (group) => {
      expect((await add({ group })).group).toBe(group)
    })

    it('moves no token into a group that its user may not use, but leaves it where it is', async () => {
      const { id } = await add()
      await expect(tokens.update(ADA, id, { group: 'vip' })).rejects.toMatchObject({
        code: 'token.group_not_usable',
        field: 'group',
      })
      // The group was usable once.
      await services.database.run(`UPDATE tokens SET "group" = 'vip' WHERE id = :id`, { id })
      expect((await tokens.update(ADA, id, { group: 'vip', name: 'new' })).group).toBe('vip')
    })

    it('overwrites every field on an edit, absent ones with their empty value', async () => {
      const { id, key } = await add({ model_limits: ' b, a,b', model_limits_enabled: true })
      const token = await tokens.update(ADA, id, { name: 'new', remain_quota: 5 })
      expect(token).toMatchObject({ key, name: 'new', remain_quota: 5, model_limits: '' })
      expect(token.model_limits_enabled).toBe(false)
    })

    describe('while calls spend it', () => {
      const spend = (id: number, units: number) =>
        services.database.run(
          'UPDATE tokens SET remain_quota = remain_quota - :units, used_quota = used_quota + :units WHERE id = :id',
          { id, units },
        )
      const left = async (id: number) => (await tokens.find(ADA, id)).remain_quota

      it.each([
        {
          what: 'the remainder',
          least: 10,
          shownOf: ({ remain_quota }: TokenRecord): ShownToken => ({ remain_quota }),
        },
        {
          what: 'the rest of the record',
          least: 0,
          shownOf: ({ used_quota, created_time }: TokenRecord): ShownToken => ({
            used_quota,
            created_time,
          }),
        },
      ])('keeps what they spent since a page has read $what', async ({ shownOf, least }) => {
        const { id } = await add({ remain_quota: 120 })
        await spend(id, 20)
        const token = await tokens.find(ADA, id)
        const shown = shownOf(token)
        await spend(token.id, 30)
        await tokens.update(ADA, token.id, { name: 'new', remain_quota: 100 }, 1, shown)
        expect(await tokens.find(ADA, token.id)).toMatchObject({ name: 'new', remain_quota: 70 })
        await tokens.update(ADA, token.id, { remain_quota: 150 }, 1, shown)
        expect(await left(token.id)).toBe(120)
        await spend(token.id, 10)
        await tokens.update(ADA, token.id, { remain_quota: 0 }, 1, shown)
        expect(await left(token.id)).toBe(least)
      })

      it('keeps the remainder of one without a limit, which calls do not take from', async () => {
        const { id, created_time } = await add({ remain_quota: 100, unlimited_quota: true })
        const shown = { used_quota: 0, created_time }
        await services.database.run('UPDATE tokens SET used_quota = 30 WHERE id = :id', { id })
        await tokens.update(ADA, id, { remain_quota: 150, unlimited_quota: true }, 1, shown)
        expect(await left(id)).toBe(150)
      })

      it('takes what a script sends that has read nothing', async () => {
        const { id } = await add({ remain_quota: 100 })
        await spend(id, 30)
        for (const shown of [{}, { used_quota: 0 }, { used_quota: 0, created_time: 0 }]) {
          await tokens.update(ADA, id, { remain_quota: 100 }, 1, shown)
          expect(await left(id)).toBe(100)
          await spend(id, 1)
        }
      })

      it('takes a remainder below 0 back as it was shown, and no other', async () => {
        const { id } = await add({ remain_quota: 10 })
        await spend(id, 13)
        const shown = { remain_quota: -3 }
        await spend(id, 1)
        await tokens.update(ADA, id, { name: 'new', remain_quota: -3 }, 4, shown)
        expect(await left(id)).toBe(-4)
        await expect(tokens.update(ADA, id, { remain_quota: -2 }, 4, shown)).rejects.toMatchObject({
          code: 'token.quota_invalid',
        })
      })

      it('loses no charge that comes while it is written', async () => {
        const { id } = await add({ remain_quota: 1000 })
        const shown = { remain_quota: 1000 }
        await Promise.all(
          Array.from({ length: 20 }, (_, at) =>
            at % 2 ? spend(id, 1) : tokens.update(ADA, id, { remain_quota: 1005 }, 1, shown),
          ),
        )
        expect(await left(id)).toBe(1000 - 10 + 10 * 5)
      })
    })

    it('shows and changes nothing of another user', async () => {
      const { id } = await add()
      const refused = { code: 'token.not_found' }
      await expect(tokens.find(BOB, id)).rejects.toMatchObject(refused)
      await expect(tokens.update(BOB, id, { name: 'x' })).rejects.toMatchObject(refused)
      await expect(tokens.setStatus(BOB, id, 2)).rejects.toMatchObject(refused)
      await expect(tokens.remove(BOB, id)).rejects.toMatchObject(refused)
      expect(await tokens.search(BOB, { keyword: '', token: '' })).toEqual([])
    })

    it('lists newest first, a page at a time, and searches name and key', async () => {
      const first = await add({ name: 'First_50%' })
      const second = await add({ name: 'second' })
      const page = await tokens.list(ADA, { offset: 1, limit: 1 })
      expect(page).toMatchObject({ items: [{ id: first.id }], total: 2 })
      const search = async (keyword: string, token: string) =>
        (await tokens.search(ADA, { keyword, token })).map(({ id }) => id)
      expect(await search('first', '')).toEqual([first.id])
      expect(await search('_', '')).toEqual([first.id])
      expect(await search('', `sk-${second.key.slice(5, 30)}`)).toEqual([second.id])
      expect(await search('first', second.key)).toEqual([])
    })

    it('finds a hundred at the most, and all where it looks by status', async () => {
      for (let place = 0; place < 101; place += 1) await add()
      const found = async (more: { status?: number }) =>
        (await tokens.search(ADA, { keyword: 'lap', token: '', ...more })).length
      expect(await found({})).toBe(100)
      expect(await found({ status: 1 })).toBe(101)
    })

    it('opens the keys that it shows, and all where a part of one is looked for', async () => {
      for (const name of ['first', 'second', 'third']) await add({ name })
      const open = vi.spyOn(services.secrets, 'decrypt')
      const opened = async (query: { keyword: string; token: string; status?: number }) => {
        open.mockClear()
        const { length } = await tokens.search(ADA, query)
        return { length, opened: open.mock.calls.length }
      }
      expect(await opened({ keyword: 'IR', token: '' })).toEqual({ length: 2, opened: 2 })
      expect(await opened({ keyword: '', token: '', status: 2 })).toEqual({ length: 0, opened: 0 })
      expect(await opened({ keyword: '', token: 'sk-!' })).toEqual({ length: 0, opened: 3 })
      open.mockRestore()
    })

    it('takes back what this node holds of one that is switched off or removed', async () => {
      const { ledger, database } = services
      const leased = () => database.select('SELECT leased FROM tokens')
      const ids = [(await add()).id, (await add()).id] as const
      for (const tokenId of ids) {
        const call = { requestId: `of ${tokenId}`, userId: ADA, tokenId, isTokenLimited: true }
        await ledger.release(await ledger.reserve({ ...call, units: 1 }))
      }
      expect(await leased()).toEqual([{ leased: 5 }, { leased: 5 }])
      await tokens.setStatus(ADA, ids[0], 2)
      await tokens.remove(ADA, ids[1])
      expect(await leased()).toEqual([{ leased: 0 }, { leased: 0 }])
      await ledger.returnIdleLeases(0)
    })

    it('ends a token for good', async () => {
      const { id, key } = await add()
      await tokens.remove(ADA, id)
      expect(await tokens.authenticate(key)).toBeUndefined()
      await expect(tokens.remove(ADA, id)).rejects.toMatchObject({ code: 'token.not_found' })
    })
  })

  // SQLite has one writer.
  const describeLocks = kind.name === 'PostgreSQL' ? describe : () => undefined
  describeLocks('beside a charge, which locks the owner first', () => {
    const waitingForLocks = async () => {
      const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
      return (await services.database.select(waiting)).length
    }

    it.each<[string, (id: number) => Promise<unknown>]>([
      ['removes a token', (id) => tokens.remove(ADA, id)],
      ['disables one', (id) => tokens.setStatus(ADA, id, 2)],
    ])('%s', async (what, edit) => {
      const { id } = await add()
      // Leaves units free on this node, which the edit gives back.
      await services.ledger.release(
        await services.ledger.reserve({
          requestId: `a call before: ${what}`,
          userId: ADA,
          tokenId: id,
          isTokenLimited: false,
          units: 10,
        }),
      )
      let begin = () => {}
      const edited = new Promise<void>((resolve) => {
        begin = resolve
      }).then(() => edit(id))
      const { database } = services
      await database.transaction(async (transaction) => {
        const lock = 'SELECT id FROM users WHERE id = :id FOR UPDATE'
        await database.select(lock, { id: ADA }, transaction)
        begin()
        await expect.poll(waitingForLocks).toBeGreaterThan(0)
        const nowait = 'SELECT id FROM tokens WHERE id = :id FOR UPDATE NOWAIT'
        expect(await database.select(nowait, { id }, transaction)).toHaveLength(1)
      })
      await edited
    })
  })

  describe('status', () => {
    it('takes 1 and 2 from its owner, nothing else', async () => {
      const { id } = await add()
      expect((await tokens.setStatus(ADA, id, 2)).status).toBe(2)
      expect((await tokens.setStatus(ADA, id, 1)).status).toBe(1)
      for (const status of [0, 3, 4, 5]) {
        await expect(tokens.setStatus(ADA, id, status)).rejects.toMatchObject({
          code: 'token.status_invalid',
        })
      }
    })

    it('is 3 after its time, and 1 again when the time is changed', async () => {
      const { id, key } = await add({ expired_time: nowSeconds() + 60 })
      expect((await tokens.authenticate(key))?.status).toBe(1)
      clock.advance(61_000)
      expect((await tokens.authenticate(key))?.status).toBe(3)
      expect((await tokens.find(ADA, id)).status).toBe(3)
      await expect(tokens.setStatus(ADA, id, 1)).rejects.toMatchObject({
        code: 'token.still_expired',
      })
      const stillPast = { expired_time: nowSeconds() - 1, remain_quota: 1 }
      await expect(tokens.update(ADA, id, stillPast, 1)).rejects.toMatchObject({
        code: 'token.still_expired',
      })
      const edited = await tokens.update(ADA, id, { expired_time: -1, remain_quota: 1 }, 3)
      expect(edited.status).toBe(1)
      expect((await tokens.authenticate(key))?.status).toBe(1)
    })

    it('becomes 4 without quota, and 1 again when it gets some or no limit', async () => {
      const { id, key } = await add({ remain_quota: 0 })
      expect((await tokens.authenticate(key))?.status).toBe(4)
      await expect(tokens.setStatus(ADA, id, 1)).rejects.toMatchObject({
        code: 'token.still_exhausted',
      })
      expect((await tokens.update(ADA, id, { unlimited_quota: true }, 4)).status).toBe(1)
      expect((await tokens.authenticate(key))?.isUnlimited).toBe(true)
    })

    it('is that of one token alone when it runs out', async () => {
      const other = await add()
      const { key } = await add({ remain_quota: 0 })
      expect((await tokens.authenticate(key))?.status).toBe(4)
      expect((await tokens.find(ADA, other.id)).status).toBe(1)
      expect((await tokens.authenticate(other.key))?.status).toBe(1)
    })

    it('stays 2 through an edit', async () => {
      const { id } = await add()
      await tokens.setStatus(ADA, id, 2)
      expect((await tokens.update(ADA, id, { remain_quota: 7 })).status).toBe(2)
    })
  })

  describe('authenticating', () => {
    it('gives the token with its owner', async () => {
      const token = await add({
        model_limits_enabled: true,
        model_limits: 'a,b',
        allow_ips: '10.0.0.0/8, 1.2.3.4',
      })
      expect(await tokens.authenticate(token.key)).toEqual({
        tokenId: token.id,
        tokenName: 'laptop',
        status: 1,
        expiredTime: -1,
        isUnlimited: false,
        remainQuota: 100,
        models: new Set(['a', 'b']),
        allowAddresses: ['10.0.0.0/8', '1.2.3.4'],
        tokenGroup: '',
        userId: ADA,
        username: 'ada',
        userGroup: 'default',
        userRole: 1,
        userStatus: 1,
        acceptUnsetRatio: true,
      })
    })

    it.each(['', 'unknown', 'x'.repeat(5000), "' OR 1=1"])('does not know "%s"', async (key) => {
      expect(await tokens.authenticate(key)).toBeUndefined()
    })

    it('sees a change on every node at once', async () => {
      const there = startTokens('there')
      const { id, key } = await add()
      expect((await there.authenticate(key))?.status).toBe(1)
      await tokens.setStatus(ADA, id, 2)
      expect((await there.authenticate(key))?.status).toBe(2)
      there.close()
    })

    it('lets no clock that runs ahead switch a token off for the other nodes', async () => {
      const limits = { expired_time: nowSeconds() + 3600, remain_quota: 100 }
      const { id, key } = await add(limits)
      const ahead = startTokens('ahead', () => new Date(clock.now().getTime() + 7_200_000))
      expect((await ahead.authenticate(key))?.status).toBe(3)
      expect((await ahead.find(ADA, id)).status).toBe(3)
      expect((await tokens.authenticate(key))?.status).toBe(1)
      await ahead.update(ADA, id, { ...limits, name: 'saved there' })
      expect(await tokens.find(ADA, id)).toMatchObject({ name: 'saved there', status: 1 })
      ahead.close()
    })

    it('goes by the date where an earlier version has stored the expiry', async () => {
      const { id, key } = await add({ expired_time: nowSeconds() + 3600 })
      await services.database.run('UPDATE tokens SET status = 3 WHERE id = :id', { id })
      expect((await tokens.authenticate(key))?.status).toBe(1)
    })

    it('forgets everything after it was cut off from the other nodes', async () => {
      const { key } = await add()
      await tokens.authenticate(key)
      await services.database.run('UPDATE tokens SET remain_quota = 3')
      await bus.gap()
      expect((await tokens.authenticate(key))?.remainQuota).toBe(3)
    })

    it('sees a change of the owner', async () => {
      const { key } = await add()
      await tokens.authenticate(key)
      await services.database.run('UPDATE users SET status = 2 WHERE id = :ADA', { ADA })
      await bus.join('here').publish('user.changed', { userId: ADA })
      expect((await tokens.authenticate(key))?.userStatus).toBe(2)
    })

    it('reads the table once for a burst of calls, and again after half a minute', async () => {
      const { key } = await add()
      const burst = await Promise.all(Array.from({ length: 100 }, () => tokens.authenticate(key)))
      expect(new Set(burst).size).toBe(1)
      await services.database.run('UPDATE tokens SET remain_quota = 3')
      expect((await tokens.authenticate(key))?.remainQuota).toBe(100)
      clock.advance(31_000)
      expect((await tokens.authenticate(key))?.remainQuota).toBe(3)
    })

    it('reads the table once for what is known, with a date or without, and for what is not', async () => {
      const { key } = await add({ expired_time: nowSeconds() + 3600 })
      const read = vi.spyOn(services.database, 'select')
      for (const sent of [key, key, 'x'.repeat(48), 'x'.repeat(48)]) await tokens.authenticate(sent)
      expect(read).toHaveBeenCalledTimes(2)
      clock.advance(11_000)
      for (const sent of [key, 'x'.repeat(48)]) await tokens.authenticate(sent)
      expect(read).toHaveBeenCalledTimes(3)
    })

    it('fails where the table cannot be read, and reads it with the next call', async () => {
      const { key } = await add()
      vi.spyOn(services.database, 'select').mockRejectedValueOnce(new Error('it is away'))
      await expect(tokens.authenticate(key)).rejects.toThrow('it is away')
      expect((await tokens.authenticate(key))?.status).toBe(1)
    })

    it('does not keep what was read before a change', async () => {
      const { id, key } = await add()
      tokens.close()
      tokens = startTokens('fresh')
      const early = tokens.authenticate(key)
      await tokens.setStatus(ADA, id, 2)
      await early
      expect((await tokens.authenticate(key))?.status).toBe(2)
    })
  })
})
