import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { UserRecord } from '#core'
import { createPluginApp, databaseKinds, type InjectClient, type PluginApp } from '#test'
import personal from '../personal/index.ts'
import redemptions from './index.ts'
import type { Redemption } from './schema.ts'
import { verifyCodes } from './verify-codes-report.ts'

const nowSeconds = () => Math.floor(Date.now() / 1000)

describe.each(databaseKinds)('redemption codes on $name', (kind) => {
  let app: PluginApp
  let admin: InjectClient
  let ada: InjectClient
  let adaId: number

  beforeAll(async () => {
    const channels = { modelsOfGroups: () => Promise.resolve([]) }
    app = await createPluginApp({
      kind,
      plugins: [redemptions, personal],
      services: { channels: channels as never },
    })
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    const root = await app.accounts.create({
      username: 'root',
      role: 10,
      by: 'setup',
    })
    admin = await app.signedIn(root.id)
    ;({ id: adaId } = await app.accounts.create({
      username: 'ada',
      by: 'admin',
    }))
    ada = await app.signedIn(adaId)
  })
  afterEach(async () => {
    await app.removeAccounts()
    await app.database.run('DELETE FROM redemptions__codes')
    await app.ledger.flush()
    await app.database.run('DELETE FROM logs')
  })

  const make = async (body: object = {}) =>
    (
      await admin.call<string[]>('POST', '/api/redemption/', {
        name: 'spring',
        quota: 1000,
        count: 1,
        ...body,
      })
    ).data
  const list = async (query = '') =>
    (
      await admin.call<{ items: Redemption[]; total: number; page: number }>(
        'GET',
        `/api/redemption/${query}`,
      )
    ).data
  const redeem = (key: string, who = ada) => who.call<number>('POST', '/api/user/topup', { key })
  const balance = async () => (await ada.call<UserRecord>('GET', '/api/user/self')).data.quota

  it('are recorded with who made them and changed what they are worth, without the codes', async () => {
    const [code = ''] = await make({ count: 2 })
    const { items } = await list()
    const id = items[0]?.id
    await admin.call('PUT', '/api/redemption/', { id, name: 'summer' })
    await admin.call('PUT', '/api/redemption/', { id, quota: 5000 })
    await app.ledger.flush()
    const rows = await app.database.select<{ username: string; type: number; other: string }>(
      'SELECT username, type, content, other FROM logs WHERE type = 3 ORDER BY id',
    )
    expect(rows.map(({ username, other }) => [username, JSON.parse(other)])).toMatchObject([
      ['root', { op: 'codes_made', name: 'spring', count: 2, amount: 1000 }],
      ['root', { op: 'code_quota', id, name: 'summer', before: 1000, after: 5000 }],
    ])
    expect(JSON.stringify(rows)).not.toContain(code)
  })

  it('are made in a batch, shown again and kept encrypted', async () => {
    const codes = await make({ count: 3 })
    expect(codes).toHaveLength(3)
    for (const code of codes) expect(code).toMatch(/^[0-9a-f]{32}$/)
    const { items, total, page } = await list('?p=0&page_size=2')
    expect({ total, page }).toEqual({ total: 3, page: 1 })
    expect(items.map(({ key }) => key)).toEqual([codes[2], codes[1]])
    expect(items[0]).toMatchObject({
      name: 'spring',
      quota: 1000,
      status: 1,
      used_user_id: 0,
      count: 0,
    })
    const rows = await app.database.select<object>('SELECT * FROM redemptions__codes')
    for (const code of codes) expect(JSON.stringify(rows)).not.toContain(code)
  })

  it('are found by the beginning of their name, their id and their state', async () => {
    await make({ name: '50% off' })
    await make({ name: 'Autumn' })
    await make({ name: 'late', expired_time: nowSeconds() + 1000 })
    await app.database.run("UPDATE redemptions__codes SET expired_time = 1 WHERE name = 'late'")
    const names = async (query: string) => (await list(query)).items.map(({ name }) => name)
    expect(await names('search?keyword=50%25')).toEqual(['50% off'])
    expect(await names('search?keyword=%25')).toEqual([])
    expect(await names('search?keyword=autu')).toEqual(['Autumn'])
    const id = (await list('search?keyword=autumn')).items[0]?.id
    expect(await names(`search?keyword=${id}`)).toContain('Autumn')
    expect(await names('?status=expired')).toEqual(['late'])
    expect(await names('?status=1')).toEqual(['Autumn', '50% off'])
    expect((await admin.call('GET', '/api/redemption/?status=9')).success).toBe(false)
  })

  it('pay once, however many use them at once', async () => {
    const [code = ''] = await make({ quota: 700 })
    const others = await Promise.all(
      Array.from({ length: 4 }, async (_, at) => {
        const { id } = await app.accounts.create({
          username: `user${at}`,
          by: 'admin',
        })
        return app.signedIn(id)
      }),
    )
    const callers = [ada, ...others]
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => redeem(` ${code}\n`, callers[at % callers.length])),
    )
    expect(answers.filter(({ success }) => success).map(({ data }) => data)).toEqual([700])
    const refused = answers.filter(({ success }) => !success)
    expect(new Set(refused.map((answer) => answer.code))).toEqual(
      new Set(['redemptions.code_used']),
    )
    const [sum] = await app.database.select<{ total: number; entries: number }>(
      `SELECT CAST(SUM(amount) AS BIGINT) AS total, COUNT(*) AS entries FROM ledger_entries WHERE kind = 'topup'`,
    )
    expect(sum).toEqual({ total: 700, entries: 1 })
    expect(await app.ledger.verify()).toMatchObject({ faults: [] })
  })

  it('are used up with a row in the log that names amount and code', async () => {
    const [code = ''] = await make({ quota: 500_000 })
    expect(await redeem(code)).toMatchObject({ success: true, data: 500_000 })
    expect(await balance()).toBe(500_000)
    const [row] = (await list()).items
    expect(row).toMatchObject({ status: 3, used_user_id: adaId })
    expect(row?.redeemed_time).toBeGreaterThan(0)
    await app.ledger.flush()
    const logs = await app.database.select('SELECT type, content FROM logs WHERE type = 1')
    expect(logs).toEqual([{ type: 1, content: `Redeemed code ${row?.id}: $1` }])
    for (const change of [
      admin.call('PUT', '/api/redemption/?status_only=true', { id: row?.id, status: 1 }),
      admin.call('PUT', '/api/redemption/', { id: row?.id, name: 'x', quota: 5 }),
    ])
      expect(await change).toMatchObject({ success: false, code: 'redemptions.only_unused' })
  })

  it('are compared with the ledger', async () => {
    const lines: string[] = []
    const verify = () => verifyCodes(app.database, (line) => lines.push(line))
    const [code = '', other = ''] = await make({ count: 2 })
    await redeem(code)
    expect(await verify()).toBe(0)
    const id = (await list()).items.find(({ key }) => key === other)?.id
    await app.database.run('UPDATE redemptions__codes SET status = 3 WHERE id = :id', { id })
    expect(await verify()).toBe(1)
    expect(lines).toEqual([
      'Every used code is in the ledger',
      `redemption:${id}: the code is worth 1000 units, the ledger entered 0`,
      '1 faults',
    ])
  })

  it('are refused when unknown, empty, disabled, expired or deleted', async () => {
    const [off = '', late = '', gone = ''] = await make({ count: 3 })
    const { items } = await list()
    const idOf = (key: string) => items.find((item) => item.key === key)?.id
    const set = { id: idOf(off), status: 2 }
    expect((await admin.call('PUT', '/api/redemption/?status_only=true', set)).data).toMatchObject({
      status: 2,
      quota: 1000,
    })
    await app.database.run('UPDATE redemptions__codes SET expired_time = 1 WHERE id = :id', {
      id: idOf(late),
    })
    expect((await admin.call('DELETE', `/api/redemption/${idOf(gone)}/`)).success).toBe(true)
    expect((await admin.call('DELETE', `/api/redemption/${idOf(gone)}`)).success).toBe(false)
    const code = async (key: string) => (await redeem(key)).code
    expect(await code(off)).toBe('redemptions.code_used')
    expect(await code(late)).toBe('redemptions.code_expired')
    expect(await code(gone)).toBe('redemptions.code_unknown')
    expect(await code('nothing')).toBe('redemptions.code_unknown')
    expect(await code(' ')).toBe('redemptions.code_missing')
    expect(await balance()).toBe(0)
    await admin.call('PUT', '/api/redemption/?status_only=true', { ...set, status: 1 })
    expect((await redeem(off)).data).toBe(1000)
  })

  it('are edited while unused', async () => {
    await make()
    const id = (await list()).items[0]?.id
    const soon = nowSeconds() + 3600
    const edited = await admin.call('PUT', '/api/redemption/', {
      id,
      name: 'winter',
      quota: '2000',
      status: 3,
      used_user_id: 9,
      expired_time: soon,
    })
    expect(edited.data).toMatchObject({
      name: 'winter',
      quota: 2000,
      status: 1,
      used_user_id: 0,
      expired_time: soon,
    })
    const partial = await admin.call('PUT', '/api/redemption/', { id, expired_time: 0 })
    expect(partial.data).toMatchObject({ name: 'winter', quota: 2000, expired_time: 0 })
    expect((await admin.call('GET', `/api/redemption/${id}`)).data).toMatchObject({ quota: 2000 })
    expect((await admin.call('GET', '/api/redemption/999999')).code).toBe('redemptions.unknown')
  })

  it('are not edited while disabled, and again once they are enabled', async () => {
    await make()
    const id = (await list()).items[0]?.id
    const set = (status: number) =>
      admin.call('PUT', '/api/redemption/?status_only=true', { id, status })
    const edit = () => admin.call('PUT', '/api/redemption/', { id, name: 'winter', quota: 2000 })
    await set(2)
    expect(await edit()).toMatchObject({ success: false, code: 'redemptions.disabled' })
    expect((await list()).items[0]).toMatchObject({ quota: 1000, status: 2 })
    await set(1)
    expect((await edit()).data).toMatchObject({ name: 'winter', quota: 2000 })
  })

  it.each([0, 3, 4, undefined])('are switched to no status but 1 and 2: %s', async (status) => {
    await make()
    const [code] = (await list()).items
    const set = { id: code?.id, status }
    expect(await admin.call('PUT', '/api/redemption/?status_only=true', set)).toMatchObject({
      success: false,
      code: 'redemptions.status',
    })
    expect((await list()).items).toEqual([code])
  })

  it('are not overwritten by whoever saw them before another changed them', async () => {
    await make()
    const [code] = (await list()).items
    const { id, name = '', quota = 0, expired_time = 0 } = code ?? {}
    const shown = { name, quota, expired_time }
    const edit = (body: object) => admin.call('PUT', '/api/redemption/', { id, shown, ...body })
    expect(await edit({ quota: 5000 })).toMatchObject({ success: true })
    expect(await edit({ name: 'winter', quota: 1000 })).toMatchObject({
      success: false,
      code: 'redemptions.changed',
    })
    const anew = { name: 'winter', shown: { ...shown, quota: 5000 } }
    expect((await edit(anew)).data).toMatchObject({ name: 'winter', quota: 5000 })
    // One of two parallel changes wins, and the other is refused.
    const both = await Promise.all(
      [1, 2].map((units) =>
        edit({ quota: units, shown: { ...shown, name: 'winter', quota: 5000 } }),
      ),
    )
    expect(both.map(({ code: of }) => of ?? 'done').sort()).toEqual(['done', 'redemptions.changed'])
  })

  it.each([
    { body: { name: ' ' }, code: 'redemptions.name_length' },
    { body: { name: '名'.repeat(21) }, code: 'redemptions.name_length' },
    { body: { name: 'gift\u202e' }, code: 'request.unseen_character' },
    { body: { quota: 0 }, code: 'redemptions.quota_range' },
    { body: { quota: 1.5 }, code: 'request.invalid_field' },
    { body: { quota: '0' }, code: 'redemptions.quota_range' },
    { body: { count: 101 }, code: 'redemptions.count_range' },
    { body: { count: '101' }, code: 'redemptions.count_range' },
    { body: { expired_time: 5 }, code: 'redemptions.expiry_past' },
    { body: { name: 'a\0b' }, code: 'request.invalid_field' },
  ])('are not made of $body', async ({ body, code }) => {
    const answer = await admin.call('POST', '/api/redemption/', {
      name: 'ok',
      quota: 1,
      count: 1,
      ...body,
    })
    const values = { field: Object.keys(body)[0] }
    expect(answer).toMatchObject({ status: 200, success: false, code, values })
    expect(answer.message).not.toContain('{')
    expect((await list()).total).toBe(0)
  })

  it('take names of twenty characters in any script', async () => {
    expect(await make({ name: '名'.repeat(20) })).toHaveLength(1)
  })

  it('are for admins to see and to make', async () => {
    await make()
    for (const [method, path, body] of [
      ['GET', '/api/redemption/', undefined],
      ['GET', '/api/redemption/search', undefined],
      ['GET', '/api/redemption/1', undefined],
      ['POST', '/api/redemption/', { name: 'a', quota: 1, count: 1 }],
      ['PUT', '/api/redemption/', { id: 1, name: 'a' }],
      ['DELETE', '/api/redemption/1', undefined],
    ] as const) {
      expect(await ada.call(method, path, body)).toMatchObject({ success: false })
      expect((await app.client().call(method, path, body)).status).toBe(401)
    }
    expect((await app.client().call('POST', '/api/user/topup', { key: 'a' })).status).toBe(401)
    expect((await list()).total).toBe(1)
  })
})
