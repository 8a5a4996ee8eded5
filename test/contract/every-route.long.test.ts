// Every route of the program by every kind of caller, against route-access.json; every-route.test.ts sees to it that no row is missing.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { addCustomer, ApiClient, type App, type Customer, rootAccount, startApp } from '#test'
import { customerPassword } from '../harness/shop.ts'
import { type Level, provedRoutes, routeRows } from './route-rows.ts'

type Headers = Record<string, string>
/** Why a caller is not let in; where nothing stands, he is. */
type Refusals = Partial<Record<Level, string>>

const signIn = 'auth.required'
const roleTooLow = 'access.role_too_low'
const everywhere = (code: string): Refusals => ({
  user: code,
  admin: code,
  options: code,
  root: code,
})
const nobody: Refusals = { ...everywhere(signIn), session: signIn }

let app: App
let database: DatabaseSync
let ada: Customer
let bob: Customer
let admin: ApiClient
let peer: ApiClient
let banned: ApiClient
let gone: ApiClient
let stale: ApiClient
let script: Headers

beforeAll(async () => {
  app = await startApp()
  const file = readdirSync(app.dataDir).find((name) => name.endsWith('.db')) ?? ''
  database = new DatabaseSync(join(app.dataDir, file), { timeout: 5_000 })
  ada = await addCustomer(app.root, 'ada', 1_000_000)
  bob = await addCustomer(app.root, 'bob', 1_000_000)
  admin = await newAdmin('admin')
  peer = await newAdmin('peer')
  const holder = await addCustomer(app.root, 'holder', 1_000_000)
  script = {
    authorization: await holder.client.get<string>('/api/user/token'),
    'new-api-user': String(holder.id),
  }
  // The service ends the sessions with the account: these are left as if another node had just done it.
  banned = (await addCustomer(app.root, 'banned', 0)).client
  gone = (await addCustomer(app.root, 'gone', 0)).client
  write('UPDATE users SET status = 2 WHERE id = ?', banned.userId)
  write("UPDATE users SET deleted_at = '2026-01-01 00:00:00.000 +00:00' WHERE id = ?", gone.userId)
  for (const client of [banned, gone])
    await vi.waitFor(
      async () => expect((await client.call('GET', '/api/user/self')).status).toBe(401),
      15_000,
    )
  stale = await staleRoot()
}, 60_000)
afterAll(async () => {
  database.close()
  await app.close()
})

async function newAdmin(name: string): Promise<ApiClient> {
  const { id } = await addCustomer(app.root, name, 1_000_000)
  await app.root.post('/api/user/manage', { id, action: 'promote' })
  return new ApiClient(app.url).signIn(name, customerPassword)
}

/** A session that has shown long ago who sits there. */
async function staleRoot(): Promise<ApiClient> {
  const ids = () => database.prepare('SELECT id_hash FROM sessions').all()
  const before = new Set(ids().map((row) => row['id_hash']))
  const client = await new ApiClient(app.url).signIn(rootAccount.username, rootAccount.password)
  const made = ids().find((row) => !before.has(row['id_hash']))
  write("UPDATE sessions SET data = '{}' WHERE id_hash = ?", String(made?.['id_hash']))
  return client
}

const write = (sql: string, ...values: (string | number)[]) => database.prepare(sql).run(...values)
const of = (client: ApiClient): Headers => ({
  cookie: client.sessionCookie,
  'new-api-user': String(client.userId),
})

const callers: readonly { name: string; refused: Refusals; headers(): Headers }[] = [
  { name: 'nobody', refused: nobody, headers: () => ({}) },
  { name: 'a banned user whose session is left', refused: nobody, headers: () => of(banned) },
  { name: 'a deregistered user whose session is left', refused: nobody, headers: () => of(gone) },
  {
    name: 'the holder of a relay key',
    refused: { ...everywhere('auth.token_unknown'), session: signIn },
    headers: () => ({ authorization: `Bearer ${ada.key}`, 'new-api-user': String(ada.id) }),
  },
  {
    name: 'a session of which no header tells whose it is',
    refused: everywhere('auth.user_header_missing'),
    headers: () => ({ cookie: app.root.sessionCookie }),
  },
  {
    name: 'a session of which the header names another user',
    refused: everywhere('auth.user_header_mismatch'),
    headers: () => ({ ...of(app.root), 'new-api-user': String(ada.id) }),
  },
  {
    name: 'a system access token',
    refused: { session: signIn, admin: roleTooLow, options: roleTooLow, root: roleTooLow },
    headers: () => script,
  },
  {
    name: 'a user',
    refused: { admin: roleTooLow, options: roleTooLow, root: roleTooLow },
    headers: () => of(ada.client),
  },
  { name: 'an admin', refused: { root: roleTooLow }, headers: () => of(admin) },
  { name: 'the super admin', refused: {}, headers: () => of(app.root) },
]

/** These end the session or the account of whoever may call them. */
const ends = new Set(['GET /api/user/logout', 'DELETE /api/user/self', 'DELETE /api/user/sessions'])
/** Open to everybody, for it answers by a page; it asks for the session itself. */
const asksItself = 'GET /api/oauth/wechat/bind'

async function send(route: string, headers: Headers): Promise<{ status: number; code: string }> {
  const [method = '', path = ''] = route.split(' ')
  const rest = path.includes('/v1beta/models/*') ? 'm:generateContent' : '999999'
  const hasBody = method !== 'GET'
  const response = await fetch(app.url + path.replaceAll(/:\w+/g, '999999').replace('*', rest), {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(hasBody ? { 'content-type': 'application/json' } : {}) },
    // The body of no route: whoever is let in does nothing by it, and a guard that comes too late is seen.
    ...(hasBody ? { body: '[]' } : {}),
  })
  const text = await response.text()
  return { status: response.status, code: /"code":"((?:auth|access)\.\w+)"/.exec(text)?.[1] ?? '' }
}

/** In fours, so that it takes half the time. @returns what is wrong, each with its route */
async function faultsOf(
  rows: readonly (typeof routeRows)[number][],
  look: (row: (typeof routeRows)[number]) => Promise<string | undefined>,
): Promise<string[]> {
  const faults: string[] = []
  for (let at = 0; at < rows.length; at += 4) {
    const found = await Promise.all(
      rows.slice(at, at + 4).map(async (row) => ({ row, fault: await look(row) })),
    )
    faults.push(...found.flatMap(({ row, fault }) => (fault ? [`${row.route}: ${fault}`] : [])))
  }
  return faults
}

const consoleRows = routeRows.filter(({ level }) => level !== 'key' && level !== 'open')

describe('every route of the console', () => {
  it.each(callers)('lets in or keeps out $name', async ({ refused, headers }) => {
    const faults = await faultsOf(consoleRows, async ({ level, route }) => {
      const wanted = refused[level] ?? ''
      if (wanted === '' && ends.has(route)) return undefined
      const { status, code } = await send(route, headers())
      if (status >= 500) return `${status}`
      // The playground answers as the relay does.
      if (wanted !== '' && route.includes(' /pg/')) return status === 401 ? undefined : `${status}`
      if (wanted !== '') return code === wanted ? undefined : `${status} ${code}, not ${wanted}`
      return code === '' || asksMore(route, code) ? undefined : `${status} ${code}`
    })
    expect(faults).toEqual([])
  })

  it('asks for a proof where the table says so, and nowhere else', async () => {
    const faults = await faultsOf(consoleRows, async ({ route }) => {
      if (ends.has(route) && !provedRoutes.has(route)) return undefined
      const { code } = await send(route, of(stale))
      return (code === 'auth.proof_needed') === provedRoutes.has(route) ? undefined : code || 'none'
    })
    expect(faults).toEqual([])
  })
})

/** Whether somebody who is let in has to show more than who he is. */
function asksMore(route: string, code: string): boolean {
  if (code === 'auth.proof_needed') return provedRoutes.has(route)
  if (code === 'auth.proof_needs_session') return route.includes('/verify')
  return code === signIn && route === asksItself
}

it('every route of the relay takes a key and nothing else', async () => {
  const keys = routeRows.filter(({ level }) => level === 'key')
  const others = [{}, of(ada.client), of(app.root), script, { authorization: 'Bearer sk-none' }]
  for (const headers of others) {
    const wrong = async (route: string) => (await send(route, headers)).status
    const faults = await faultsOf(keys, async ({ route }) => {
      const status = await wrong(route)
      return status === 401 ? undefined : `${status}`
    })
    expect(faults).toEqual([])
  }
  const faults = await faultsOf(keys, async ({ route }) => {
    const { status } = await send(route, { authorization: `Bearer ${ada.key}` })
    return status === 401 || status === 403 ? `${status}` : undefined
  })
  expect(faults).toEqual([])
})

describe('what belongs to somebody', () => {
  const passkey = `${'b0b'.repeat(7)}b`
  /** Every route by which a user names a thing of his own, with what somebody else sends for Bob's. */
  const owned: Readonly<
    Record<string, () => Promise<{ path: string; body?: object }> | { path: string; body?: object }>
  > = {
    'GET /api/token/:id': () => ({ path: `/api/token/${bob.token.id}` }),
    'DELETE /api/token/:id': () => ({ path: `/api/token/${bob.token.id}` }),
    'PUT /api/token/': () => ({ path: '/api/token/', body: { id: bob.token.id, name: 'mine' } }),
    'DELETE /api/user/sessions/:id': async () => {
      const [session] = await bob.client.get<{ id: string }[]>('/api/user/sessions')
      return { path: `/api/user/sessions/${session?.id}` }
    },
    'PUT /api/user/passkey/:id': () => ({
      path: `/api/user/passkey/${passkey}`,
      body: { name: 'mine' },
    }),
    'DELETE /api/user/passkey/:id': () => ({ path: `/api/user/passkey/${passkey}` }),
  }

  beforeAll(() => {
    write(
      `INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, rp_id, transports, name, is_backed_up, created_at, last_used_at)
       VALUES (?, ?, 'c', 'k', 0, 'localhost', '[]', 'phone', 0, 0, 0)`,
      passkey,
      bob.id,
    )
  })

  it('is known for every route with an id', () => {
    const named = routeRows.filter(({ level, route }) => level === 'user' && route.includes('/:'))
    for (const { route } of named) expect(Object.keys(owned)).toContain(route)
  })

  it.each(Object.keys(owned))("is nobody else's to %s", async (route) => {
    const [method = ''] = route.split(' ')
    for (const client of [ada.client, admin, app.root]) {
      const { path, body } = (await owned[route]?.()) ?? { path: '' }
      const answer = await client.call(method, path, body)
      expect(answer).toMatchObject({ success: false })
      expect(answer.code).not.toBe('request.invalid_field')
    }
    expect(await bob.client.call('GET', `/api/token/${bob.token.id}`)).toMatchObject({
      data: { name: "bob's token", key: bob.token.key },
    })
    expect(database.prepare('SELECT name FROM passkeys').get()).toMatchObject({
      name: 'phone',
    })
  })

  it.each(['a peer', 'the super admin', 'himself'])('of %s no admin changes', async (whom) => {
    const id = { 'a peer': peer, 'the super admin': app.root, himself: admin }[whom]?.userId ?? 0
    const row = () => database.prepare('SELECT * FROM users WHERE id = ?').get(id)
    const before = row()
    const actions = ['promote', 'demote', 'disable', 'enable', 'delete']
    const answers = [
      await admin.call('GET', `/api/user/${id}`),
      await admin.call('PUT', '/api/user/', {
        id,
        username: 'x',
        password: 'a new password',
        quota: 1,
      }),
      ...(await Promise.all(
        actions.map((action) => admin.call('POST', '/api/user/manage', { id, action })),
      )),
      await admin.call('POST', '/api/user/manage', { id, action: 'change_quota', value: 5 }),
      await admin.call('DELETE', `/api/user/${id}/2fa`),
      await admin.call('DELETE', `/api/user/${id}/reset_passkey`),
      await admin.call('DELETE', `/api/user/${id}`),
    ]
    for (const answer of answers)
      expect(answer).toMatchObject({
        success: false,
        code: expect.stringMatching(/^(?:users\.role_refused|second_factor\.out_of_reach)$/),
      })
    expect(row()).toEqual(before)
  })
})
