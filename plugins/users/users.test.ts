import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { UserRecord } from '#core'
import { createPluginApp, type InjectClient, type PluginApp } from '#test'
import users from './index.ts'

const password = 'correct horse'

let app: PluginApp
let root: InjectClient
let admin: InjectClient
let ada: InjectClient
const ids: Record<string, number> = {}

beforeAll(async () => {
  app = await createPluginApp({ plugins: [users] })
})
afterAll(() => app.close())

beforeEach(async () => {
  const roles = { root: 100, admin: 10, rival: 10, ada: 1, bob: 1 }
  for (const [username, role] of Object.entries(roles)) {
    // Hashing is slow, so only users whose password matters have one.
    const own = username === 'root' || username === 'ada' ? { password } : {}
    ids[username] = (await app.accounts.create({ username, ...own, role, by: 'admin' })).id
  }
  root = await caller('root')
  admin = await caller('admin')
  ada = await caller('ada')
})
afterEach(() => app.removeAccounts())

async function caller(name: string): Promise<InjectClient> {
  const id = ids[name]!
  return app.client().useToken(id, await app.accounts.newAccessToken(id))
}

const record = (name: string) => app.accounts.find(ids[name]!) as Promise<UserRecord>
const by = (name: string) => ({ root, admin, ada })[name]!

describe('who may act on whom', () => {
  it.each([
    ['GET', '/api/user/'],
    ['GET', '/api/user/search'],
    ['GET', '/api/user/1'],
    ['POST', '/api/user/'],
    ['PUT', '/api/user/'],
    ['POST', '/api/user/manage'],
    ['DELETE', '/api/user/1'],
  ] as const)('refuses a normal user %s %s', async (method, url) => {
    expect(await ada.call(method, url)).toMatchObject({ status: 200, code: 'access.role_too_low' })
    expect((await app.client().call(method, url)).status).toBe(401)
  })

  it.each([
    { who: 'admin', action: 'disable', target: 'ada', is: { role: 1, status: 2 } },
    { who: 'admin', action: 'disable', target: 'rival', code: 'users.role_refused' },
    { who: 'admin', action: 'disable', target: 'admin', code: 'users.role_refused' },
    { who: 'admin', action: 'disable', target: 'root', code: 'users.role_refused' },
    { who: 'admin', action: 'enable', target: 'ada', is: { role: 1, status: 1 } },
    { who: 'admin', action: 'delete', target: 'ada', is: { role: 1, status: 1 } },
    { who: 'admin', action: 'delete', target: 'rival', code: 'users.role_refused' },
    { who: 'admin', action: 'promote', target: 'ada', code: 'users.only_super_promotes' },
    { who: 'admin', action: 'demote', target: 'ada', code: 'users.already_normal' },
    { who: 'admin', action: 'demote', target: 'rival', code: 'users.role_refused' },
    { who: 'root', action: 'promote', target: 'ada', is: { role: 10, status: 1 } },
    { who: 'root', action: 'promote', target: 'admin', code: 'users.already_admin' },
    { who: 'root', action: 'demote', target: 'admin', is: { role: 1, status: 1 } },
    { who: 'root', action: 'demote', target: 'ada', code: 'users.already_normal' },
    { who: 'root', action: 'disable', target: 'admin', is: { role: 10, status: 2 } },
    { who: 'root', action: 'delete', target: 'admin', is: { role: 10, status: 1 } },
    { who: 'root', action: 'disable', target: 'root', code: 'users.super_untouchable' },
    { who: 'root', action: 'delete', target: 'root', code: 'users.super_untouchable' },
    { who: 'root', action: 'demote', target: 'root', code: 'users.super_untouchable' },
    { who: 'root', action: 'toString', target: 'ada', code: 'users.action_unknown' },
  ])('$who: $action $target', async ({ who, action, target, is, code }) => {
    const before = await record(target)
    const body = { id: ids[target], action }
    const answer = await by(who).call('POST', '/api/user/manage', body)
    if (is) {
      expect(answer).toMatchObject({ success: true, data: is })
    } else {
      expect(answer).toMatchObject({ status: 200, success: false, code })
      expect(await record(target)).toEqual(before)
    }
  })

  it.each([undefined, 0, '4', -1, 1.5, 999_999])('refuses to manage the id %j', async (id) => {
    const answer = await root.call('POST', '/api/user/manage', { id, action: 'disable' })
    expect(answer).toMatchObject({ status: 200, success: false })
    expect((await record('root')).status).toBe(1)
  })

  it('refuses any action on a deregistered or a locked user', async () => {
    await app.accounts.softDelete(ids.ada!)
    const manage = (action: string, id?: number) =>
      admin.call('POST', '/api/user/manage', { id, action })
    const enable = (id?: number) => manage('enable', id)
    expect(await enable(ids.ada)).toMatchObject({ code: 'users.deleted' })
    await app.accounts.update(ids.bob!, { status: 3 })
    expect(await enable(ids.bob)).toMatchObject({ code: 'users.locked' })
    expect(await manage('disable', ids.bob)).toMatchObject({ code: 'users.locked' })
    expect(await record('bob')).toMatchObject({ status: 3 })
  })

  it.each([
    { who: 'admin', target: 'ada', isDone: true },
    { who: 'admin', target: 'rival', isDone: false },
    { who: 'root', target: 'admin', isDone: true },
    { who: 'root', target: 'root', isDone: false },
  ])('$who removes $target for good: $isDone', async ({ who, target, isDone }) => {
    const answer = await by(who).call('DELETE', `/api/user/${ids[target]}`)
    expect(answer).toMatchObject({ status: 200, success: isDone })
    expect((await record(target)) === undefined).toBe(isDone)
  })

  it('takes the power of a demoted admin at once', async () => {
    expect((await admin.call('GET', '/api/user/')).success).toBe(true)
    await root.call('POST', '/api/user/manage', { id: ids.admin, action: 'demote' })
    expect(await admin.call('GET', '/api/user/')).toMatchObject({ code: 'access.role_too_low' })
  })
})

describe('reading users', () => {
  it('lists the newest first with page and total, deregistered ones included, without secrets', async () => {
    await app.accounts.softDelete(ids.ada!)
    await app.accounts.saveSetting(ids.bob!, { webhook_secret: 'whsec' })
    const { data } = await admin.call<{ items: UserRecord[] }>('GET', '/api/user/?p=0&page_size=2')
    expect(data).toMatchObject({ total: 5, page: 1, page_size: 2 })
    expect(data.items.map(({ username }) => username)).toEqual(['bob', 'ada'])
    expect(data.items[1]?.DeletedAt).toEqual(expect.any(String))
    expect(data.items[0]).toMatchObject({ password: '', access_token: null, DeletedAt: null })
    expect(JSON.stringify(data)).not.toMatch(/whsec|argon2|v1:/)
  })

  it.each([
    ['keyword=ad', ['ada', 'admin']],
    ['keyword=%25', []],
    ['group=vip', []],
    ['keyword=ad&group=default&p=x&page_size=-3', ['ada', 'admin']],
  ])('finds by %s', async (query, names) => {
    const { data } = await admin.call<{ items: UserRecord[] }>('GET', `/api/user/search?${query}`)
    expect(data.items.map(({ username }) => username)).toEqual(names)
  })

  it('shows one user to those above', async () => {
    expect((await admin.call('GET', `/api/user/${ids.ada}`)).data).toMatchObject({
      username: 'ada',
    })
    expect((await root.call('GET', `/api/user/${ids.root}/`)).success).toBe(true)
    expect(await admin.call('GET', `/api/user/${ids.rival}`)).toMatchObject({
      code: 'users.role_refused',
    })
    await app.accounts.softDelete(ids.ada!)
    for (const id of [ids.ada, 999_999, '99999999999999999999', 'x', '0']) {
      expect(await admin.call('GET', `/api/user/${id}`)).toMatchObject({
        status: 200,
        success: false,
      })
    }
  })
})

describe('adding a user', () => {
  it('always makes a normal one', async () => {
    const body = { username: ' eve ', password, display_name: '', role: 1, quota: 5, group: 'vip' }
    expect((await admin.call('POST', '/api/user/', body)).success).toBe(true)
    expect(await app.accounts.findByLogin('eve')).toMatchObject({
      role: 1,
      quota: 0,
      group: 'default',
      display_name: 'eve',
    })
  })

  it.each([
    { body: { username: 'eve' }, code: 'users.incomplete' },
    { body: { username: ' ', password }, code: 'users.incomplete' },
    { body: { username: 'eve', password, role: 10 }, code: 'users.role_too_high' },
    { body: { username: 'eve', password, role: '1' }, code: 'request.invalid_field' },
    { body: { username: 'ada', password }, code: 'account.username_taken' },
  ])('answers $code for $body', async ({ body, code }) => {
    expect(await admin.call('POST', '/api/user', body)).toMatchObject({ status: 200, code })
  })

  it('says which field holds the name that is taken', async () => {
    const { text } = await admin.raw('POST', '/api/user', { username: 'ada', password })
    expect(JSON.parse(text)).toMatchObject({ values: { field: 'username' } })
  })
})

describe('editing a user', () => {
  const edit = (who: InjectClient, body: object) => who.call('PUT', '/api/user/', body)

  it('changes what is sent and nothing else', async () => {
    await edit(admin, { id: ids.ada, quota: 700 })
    await edit(admin, { id: ids.ada, display_name: 'Ada', password: '' })
    expect(await record('ada')).toMatchObject({ display_name: 'Ada', quota: 700, group: 'default' })
    expect(await app.accounts.checkPassword(ids.ada!, password)).toBe(true)
    expect(await app.ledger.verify()).toMatchObject({ faults: [] })
  })

  it('keeps what another has changed since a page read it, and takes what he left alone', async () => {
    const id = ids.ada
    const read = await record('ada')
    await app.options.set('GroupRatio', '{"default":1,"vip":1,"gold":1}')
    const { group, display_name } = read
    expect(await edit(admin, { id, group: 'vip', shown: { group } })).toMatchObject({
      success: true,
    })
    // The same again: its answer was lost.
    expect((await edit(admin, { id, group: 'vip', shown: { group } })).success).toBe(true)
    const late = { id, group: 'gold', quota: 900, shown: { group } }
    expect(await edit(admin, late)).toMatchObject({
      success: false,
      code: 'account.changed',
      values: { field: 'group' },
    })
    expect(await record('ada')).toMatchObject({ group: 'vip', quota: read.quota })
    expect(await edit(admin, { id, display_name: 'Ada', shown: { display_name } })).toMatchObject({
      success: true,
    })
    expect(await record('ada')).toMatchObject({ group: 'vip', display_name: 'Ada' })
    // A script, or the console of an earlier version.
    expect((await edit(admin, { id, group: 'gold' })).success).toBe(true)
  })

  it('keeps what the user spends while a console holds the record that it sends back', async () => {
    await edit(admin, { id: ids.ada, quota: 700 })
    const read = await record('ada')
    const spend = (units: number) =>
      app.database.transaction((transaction) =>
        app.ledger.change({
          userId: ids.ada!,
          units: -units,
          kind: 'admin',
          ref: `spent:${units}`,
          transaction,
        }),
      )
    await spend(200)
    for (const { sent, quota } of [
      { sent: { ...read, display_name: 'Ada' }, quota: 500 },
      { sent: { ...read, quota: '1000' }, quota: 800 },
      { sent: { ...read, quota: 600 }, quota: 700 },
      { sent: { ...read, quota: 0 }, quota: 0 },
    ]) {
      expect((await edit(admin, sent)).success).toBe(true)
      expect(await record('ada')).toMatchObject({ quota, shown_quota: quota })
    }
    expect(await edit(admin, { ...read, quota: 100 })).toMatchObject({ code: 'quota.insufficient' })
    expect(await app.ledger.verify()).toMatchObject({ faults: [] })
  })

  it('takes the whole balance while a call has reserved a part of it', async () => {
    await edit(admin, { id: ids.ada, quota: 700 })
    const call = await app.ledger.reserve({
      requestId: 'under way',
      userId: ids.ada!,
      tokenId: 0,
      isTokenLimited: false,
      units: 600,
    })
    const take = (value: number) =>
      admin.call('POST', '/api/user/manage', { id: ids.ada, action: 'change_quota', value })
    expect(await take(-701)).toMatchObject({ code: 'quota.insufficient' })
    expect(await take(-700)).toMatchObject({ success: true, data: { quota: 0 } })
    await app.ledger.settle(call, { units: 20, channelId: 0 })
    await app.ledger.flush()
    expect(await record('ada')).toMatchObject({ quota: -20 })
    expect(await app.ledger.verify()).toMatchObject({ faults: [] })
  })

  it('does nothing for an admin whose session has ended meanwhile', async () => {
    const late = (body: object) =>
      Readable.from(
        (async function* after() {
          await app.accounts.endSessions(ids.root!)
          yield Buffer.from(JSON.stringify(body))
        })(),
      )
    for (const [method, path, body] of [
      ['PUT', '/api/user/', { id: ids.ada, password: 'of a thief', quota: 5 }],
      ['POST', '/api/user/manage', { id: ids.ada, action: 'change_quota', value: 5 }],
      ['POST', '/api/user/manage', { id: ids.ada, action: 'promote' }],
    ] as const) {
      const client = await app.signedIn(ids.root!)
      expect(await client.call(method, path, late(body))).toMatchObject({ code: 'auth.required' })
    }
    expect(await record('ada')).toMatchObject({ quota: 0, role: 1 })
    expect(await app.accounts.checkPassword(ids.ada!, password)).toBe(true)
  })

  it('never writes the role, the status or another identity', async () => {
    const body = { id: ids.ada, role: 1, status: 2, github_id: 'x', aff_quota: 9, username: 'ada2' }
    expect((await edit(admin, body)).success).toBe(true)
    expect(await record('ada')).toMatchObject({
      username: 'ada2',
      role: 1,
      status: 1,
      github_id: '',
      aff_quota: 0,
    })
  })

  it('sets the password of who administers only after a fresh proof', async () => {
    const change = (client: InjectClient, name: string) =>
      client.call('PUT', '/api/user/', { id: ids[name], password: 'another password' })
    const old = await app.signedIn(ids.root!, { isFresh: false })
    for (const client of [root, old])
      for (const name of ['root', 'admin'])
        expect(await change(client, name)).toMatchObject({ code: 'auth.proof_needed' })
    expect(await app.accounts.checkPassword(ids.root!, password)).toBe(true)
    expect(await change(root, 'ada')).toMatchObject({ success: true })
    const fresh = await app.signedIn(ids.root!)
    for (const name of ['admin', 'root'])
      expect(await change(fresh, name)).toMatchObject({ success: true })
  })

  it.each([
    { change: { quota: -1 }, code: 'users.quota_negative' },
    { change: { quota: 1.5 }, code: 'request.invalid_field' },
    { change: { group: 'unknown' }, code: 'users.group_unknown' },
    { change: { role: 10 }, code: 'users.role_too_high' },
    { change: { username: 'bob', quota: 9 }, code: 'account.username_taken' },
    { change: { password: 'short' }, code: 'account.invalid_password' },
    { change: { id: 0 }, code: 'request.invalid_field' },
  ])('answers $code for $change and writes nothing', async ({ change, code }) => {
    const before = await record('ada')
    const answer = await edit(admin, { id: ids.ada, display_name: 'X', ...change })
    expect(answer).toMatchObject({ status: 200, success: false, code })
    expect(await record('ada')).toEqual(before)
  })

  it('lets an admin edit nobody of the same or a higher role', async () => {
    for (const target of ['admin', 'rival', 'root']) {
      expect(await edit(admin, { id: ids[target], display_name: 'X' })).toMatchObject({
        code: 'users.role_refused',
      })
    }
    expect((await edit(root, { id: ids.root, display_name: 'X' })).success).toBe(true)
  })

  it('takes a group that has a ratio', async () => {
    expect((await edit(admin, { id: ids.ada, group: 'vip' })).success).toBe(true)
    expect((await record('ada')).group).toBe('vip')
  })
})

describe('the list of users', () => {
  const names = async (query: string) => {
    const answer = await admin.call<{ items: UserRecord[]; total: number }>(
      'GET',
      `/api/user/search?${query}`,
    )
    expect(answer.data.total).toBe(answer.data.items.length)
    return answer.data.items.map(({ username }) => username)
  }

  it.each([
    ['role=10', ['rival', 'admin']],
    ['role=100', ['root']],
    ['role=1&keyword=AD', ['ada']],
    ['status=2', ['bob']],
    ['status=1&role=1', ['ada']],
    ['status=deleted', []],
    ['sort=quota&order=desc&role=1', ['ada', 'bob']],
    ['sort=quota&order=asc&role=1', ['bob', 'ada']],
  ])('filters and sorts by %s', async (query, expected) => {
    await admin.call('PUT', '/api/user/', { id: ids['ada'], quota: 500 })
    await admin.call('PUT', '/api/user/', { id: ids['bob'], quota: 100 })
    await admin.call('POST', '/api/user/manage', { id: ids['bob'], action: 'disable' })
    expect(await names(query)).toEqual(expected)
  })

  it('finds the deregistered', async () => {
    await admin.call('POST', '/api/user/manage', { id: ids['bob'], action: 'delete' })
    expect(await names('status=deleted')).toEqual(['bob'])
    expect(await names('status=1&role=1')).toEqual(['ada'])
  })

  it.each(['sort=password', 'sort=quota;drop', 'order=up', 'role=5', 'status=9'])(
    'refuses %s',
    async (query) => {
      expect(await admin.call('GET', `/api/user/search?${query}`)).toMatchObject({ success: false })
    },
  )
})

describe('a balance changed by a difference', () => {
  const change = (who: string, target: string, value: unknown) =>
    by(who).call('POST', '/api/user/manage', { id: ids[target], action: 'change_quota', value })

  it('is added to or taken from, and entered in the ledger', async () => {
    const before = (await record('ada')).quota
    expect(await change('admin', 'ada', 700)).toMatchObject({
      success: true,
      data: { quota: before + 700, status: 1, role: 1 },
    })
    expect(await change('admin', 'ada', -300)).toMatchObject({ data: { quota: before + 400 } })
    expect((await app.ledger.verify()).faults).toEqual([])
  })

  it('is not taken below 0', async () => {
    const { quota } = await record('ada')
    expect(await change('admin', 'ada', -quota - 1)).toMatchObject({ success: false })
    expect((await record('ada')).quota).toBe(quota)
  })

  it.each([0, undefined, 0.5, '7', 1e16])('is refused for %j', async (value) => {
    expect(await change('admin', 'ada', value)).toMatchObject({ success: false })
  })

  it('reaches nobody of the same or a higher role', async () => {
    expect(await change('admin', 'rival', 5)).toMatchObject({ code: 'users.role_refused' })
    expect(await change('admin', 'root', 5)).toMatchObject({ code: 'users.role_refused' })
    expect(await change('ada', 'bob', 5)).toMatchObject({ code: 'access.role_too_low' })
  })
})

describe('what an admin did to an account', () => {
  const changesOf = async (id: number) => {
    await app.ledger.flush()
    return app.database.select<{ content: string; other: string }>(
      'SELECT content, other FROM logs WHERE user_id = :id AND type = 3 ORDER BY id',
      { id },
    )
  }

  it('stands in its log, without what was typed', async () => {
    const id = ids.ada ?? 0
    const edit = (body: object) => admin.call('PUT', '/api/user/', { id, ...body })
    const same = await record('ada')
    await edit({ username: same.username, group: same.group, password: '' })
    await edit({ display_name: 'Ada of a new name', password: 'a secret password' })
    await app.options.set('GroupRatio', '{"default":1,"vip":1}')
    await edit({ ...same, group: 'vip' })
    await admin.call('DELETE', `/api/user/${id}`)
    const rows = await changesOf(id)
    expect(rows.map(({ other }) => JSON.parse(other))).toMatchObject([
      { op: 'user_edit', fields: ['display_name', 'password'], by: 'admin' },
      { op: 'user_edit', fields: ['display_name', 'group'], groups: ['default', 'vip'] },
      { op: 'user_action', action: 'remove', by: 'admin' },
    ])
    expect(JSON.stringify(rows)).not.toMatch(/a secret password|of a new name/)
  })

  it('begins with who made it', async () => {
    await admin.call('POST', '/api/user/', { username: 'made', password })
    const [made] = (
      await app.accounts.search({ keyword: 'made', group: '' }, { page: 1, pageSize: 1 })
    ).items
    expect((await changesOf(made?.id ?? 0)).map(({ other }) => JSON.parse(other))).toEqual([
      { op: 'user_action', action: 'create', by: 'admin' },
    ])
  })
})

it("a password that an admin sets is not called its owner's own", async () => {
  await admin.call('PUT', '/api/user/', { id: ids.ada, password: 'known to the admin' })
  expect(await record('ada')).toMatchObject({ password_made: true })
  await root.call('PUT', '/api/user/', { id: ids.root, password: 'my own password' })
  expect(await record('root')).toMatchObject({ password_made: false })
})
