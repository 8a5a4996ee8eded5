// Passkeys and what is tried against them. The authenticator is one in software: a browser refuses by itself much of what the server must refuse too.
import { TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { UserRecord } from '#core'
import { createPluginApp, databaseKinds, type InjectClient, type PluginApp } from '#test'
import authPassword from '../../plugins/auth-password/index.ts'
import passkeySignIn from '../../plugins/passkey-sign-in/index.ts'
import {
  type CeremonyOptions,
  type Lie,
  SoftAuthenticator,
} from '../../test/harness/counterparts/authenticator.ts'
import { hashPassword } from '../accounts/passwords.ts'

interface Begun {
  options: { publicKey: CeremonyOptions & { allowCredentials?: { id: string }[] } }
}
interface Listed {
  last_used_at: string | null
  enabled: boolean
  passkeys: { id: string; name: string; last_used_at: number }[]
}

const site = 'https://gate.example'
const password = 'correct horse'

describe.each(databaseKinds)('passkeys on $name', (kind) => {
  let app: PluginApp
  let ada: UserRecord
  /** Made once: a hash takes long. */
  let hashed: string

  beforeAll(async () => {
    hashed = await hashPassword(password)
    app = await createPluginApp({ kind, plugins: [authPassword, passkeySignIn] })
    await app.options.setMany({ ServerAddress: site })
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    ada = await app.accounts.create({ username: 'ada', by: 'admin' })
    await app.database.run('UPDATE users SET password = :hashed', { hashed })
  })
  afterEach(async () => {
    await app.removeAccounts()
    await app.database.run('DELETE FROM passkeys')
  })

  const begin = async (client: InjectClient, what: string, body: object = {}) =>
    (await client.call<Begun>('POST', `/api/user/passkey/${what}/begin`, body)).data.options
      .publicKey
  async function add(client: InjectClient, name = 'Laptop') {
    const key = new SoftAuthenticator(site)
    const body = { ...key.create(await begin(client, 'register')), name }
    expect(await client.call('POST', '/api/user/passkey/register/finish', body)).toMatchObject({
      success: true,
    })
    return key
  }
  const withKey = async (userId = ada.id) => {
    const client = await app.signedIn(userId)
    return { client, key: await add(client) }
  }
  const list = async (client: InjectClient) =>
    (await client.call<Listed>('GET', '/api/user/passkey')).data
  async function enter(key: SoftAuthenticator, lie: Lie = {}) {
    const client = app.client()
    const body = key.get(await begin(client, 'login'), lie)
    const answer = await client.call('POST', '/api/user/passkey/login/finish', body)
    return { client, body, answer }
  }
  const byPassword = async () => {
    const client = app.client()
    const answer = await client.call('POST', '/api/user/login', { username: 'ada', password })
    return { client, answer }
  }

  it('open the account without a name, and are listed to their owner alone', async () => {
    const { client, key } = await withKey()
    const { answer } = await enter(key)
    expect(answer.data).toMatchObject({ id: ada.id, username: 'ada' })
    const own = await list(client)
    expect(own).toMatchObject({ enabled: true, passkeys: [{ name: 'Laptop' }] })
    const usedAt = own.passkeys[0]?.last_used_at ?? 0
    expect(usedAt).toBeGreaterThan(0)
    expect(own.last_used_at).toBe(new Date(usedAt * 1000).toISOString())
    expect(Object.keys(own.passkeys[0] ?? {}).sort()).toEqual(
      'created_at id is_backed_up last_used_at name'.split(' '),
    )
    const eve = await app.accounts.create({ username: 'eve', by: 'admin' })
    expect(await list(await app.signedIn(eve.id))).toMatchObject({ enabled: false, passkeys: [] })
  })

  it('open one session when the same answer comes many times at once', async () => {
    const { key } = await withKey()
    const client = app.client()
    const body = key.get(await begin(client, 'login'))
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => client.call('POST', '/api/user/passkey/login/finish', body)),
    )
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
  })

  it('are named, renamed and deleted by their owner alone', async () => {
    const { client } = await withKey()
    await add(client, 'Phone')
    const [first] = (await list(client)).passkeys
    const path = `/api/user/passkey/${first?.id}`
    const eve = await app.accounts.create({ username: 'eve', role: 10, by: 'admin' })
    const hers = await app.signedIn(eve.id)
    expect(await hers.call('PUT', path, { name: 'mine' })).toMatchObject({
      code: 'passkey.unknown',
    })
    expect(await hers.call('DELETE', path)).toMatchObject({ code: 'passkey.unknown' })
    expect((await client.call('PUT', path, { name: ' Old laptop\u0000' })).success).toBe(false)
    expect((await client.call('PUT', path, { name: ' Old laptop ' })).success).toBe(true)
    for (const name of ['', '   ', 'x'.repeat(65)])
      expect(await client.call('PUT', path, { name })).toMatchObject({ code: 'passkey.name' })
    expect((await list(client)).passkeys.map(({ name }) => name)).toContain('Old laptop')
    expect((await client.call('DELETE', path)).success).toBe(true)
    expect((await list(client)).passkeys).toHaveLength(1)
    expect((await client.call('DELETE', '/api/user/passkey')).success).toBe(true)
    expect(await list(client)).toMatchObject({ enabled: false })
  })

  it('are twenty at the most, however many registrations have begun', async () => {
    const { client } = await withKey()
    for (let number = 1; number < 19; number += 1)
      await app.database.run(
        `INSERT INTO passkeys (id, user_id, credential_id, public_key, rp_id, transports, name, created_at)
         SELECT id || :number, user_id, credential_id || :number, public_key, rp_id, transports, name, created_at
         FROM passkeys ORDER BY LENGTH(id) LIMIT 1`,
        { number: `-${number}` },
      )
    const both = [await begin(client, 'register'), await begin(client, 'register')]
    const codes: (string | undefined)[] = []
    for (const options of both) {
      const body = new SoftAuthenticator(site).create(options)
      const { code } = await client.call('POST', '/api/user/passkey/register/finish', body)
      codes.push(code)
    }
    expect(codes).toEqual([undefined, 'passkey.too_many'])
    expect((await list(client)).passkeys).toHaveLength(20)
  })

  it('go with a reset by an admin above, which leaves a row behind', async () => {
    const { key } = await withKey()
    const boss = await app.accounts.create({ username: 'boss', role: 100, by: 'setup' })
    const admin = await app.accounts.create({ username: 'admin', role: 10, by: 'setup' })
    await withKey(boss.id)
    const reset = async (by: UserRecord, of: UserRecord) =>
      (await app.signedIn(by.id)).call('DELETE', `/api/user/${of.id}/2fa`)
    expect((await reset(admin, boss)).code).toBe('second_factor.out_of_reach')
    expect((await reset(admin, ada)).success).toBe(true)
    expect((await reset(admin, ada)).code).toBe('second_factor.off')
    expect((await enter(key)).answer).toMatchObject({ code: 'passkey.refused' })
    await app.ledger.flush()
    const rows = await app.database.select<{ content: string }>(
      'SELECT content FROM logs WHERE user_id = :id AND type = 3',
      { id: ada.id },
    )
    expect(rows.map(({ content }) => content).join()).toContain('reset by admin')
  })

  // Here the databases make no difference.
  if (kind !== databaseKinds[0]) return

  it('begin a new session, whatever the one before was', async () => {
    const { key } = await withKey()
    const client = app.client()
    const options = await begin(client, 'login')
    const { headers } = await client.call(
      'POST',
      '/api/user/passkey/login/finish',
      key.get(options),
    )
    expect(String(headers['set-cookie'])).toMatch(/session=[0-9A-Za-z]{43};.*HttpOnly/)
    const rows = await app.database.select<{ user_id: number | null }>(
      'SELECT user_id FROM sessions WHERE user_id IS NULL',
    )
    expect(rows).toEqual([])
  })

  it.each<[string, Lie]>([
    ['another origin', { origin: 'https://gate.example.evil.test' }],
    ['another domain', { rpId: 'evil.test' }],
    ['a person it did not verify', { isVerified: false }],
  ])('are refused with %s', async (_what, lie) => {
    const { key } = await withKey()
    expect((await enter(key, lie)).answer).toMatchObject({ code: 'passkey.refused' })
  })

  it('answer once, in the browser that asked, to its own question', async () => {
    const { key } = await withKey()
    const { client, body, answer } = await enter(key)
    expect(answer.success).toBe(true)
    const finish = '/api/user/passkey/login/finish'
    const gone = { code: 'passkey.challenge_gone' }
    expect(await client.call('POST', finish, body)).toMatchObject(gone)
    const [mine, theirs] = [app.client(), app.client()]
    const options = await begin(mine, 'login')
    await begin(theirs, 'login')
    expect(await theirs.call('POST', finish, key.get(options))).toMatchObject(gone)
    expect(await app.client().call('POST', finish, key.get(options))).toMatchObject(gone)
    const madeUp = key.get(options, { challenge: 'AAAA' })
    expect(await mine.call('POST', finish, madeUp)).toMatchObject(gone)
    const { client: signedIn } = await withKey()
    const proof = await begin(signedIn, 'verify')
    expect(await signedIn.call('POST', finish, key.get(proof))).toMatchObject(gone)
  })

  it('sign for themselves only: the id of another one opens nothing', async () => {
    const { key } = await withKey()
    const eve = await app.accounts.create({ username: 'eve', by: 'admin' })
    const { key: evil } = await withKey(eve.id)
    const forged = await enter(evil, { credentialId: key.id })
    expect(forged.answer).toMatchObject({ code: 'passkey.refused' })
    const unknown = await enter(new SoftAuthenticator(site))
    expect(unknown.answer).toMatchObject({ code: 'passkey.refused' })
  })

  it('are refused when their counter goes back', async () => {
    const { key } = await withKey()
    expect((await enter(key, { counter: 5 })).answer.success).toBe(true)
    for (const counter of [5, 4, 0])
      expect((await enter(key, { counter })).answer).toMatchObject({ code: 'passkey.counter' })
    expect((await enter(key, { counter: 6 })).answer.success).toBe(true)
  })

  it('open nothing for whoever is banned or gone', async () => {
    const { key } = await withKey()
    await app.accounts.update(ada.id, { status: 2 })
    expect((await enter(key)).answer).toMatchObject({ code: 'sign_in.banned' })
    await app.accounts.softDelete(ada.id)
    expect((await enter(key)).answer).toMatchObject({ code: 'sign_in.deregistered' })
  })

  it('are asked for after the password, and then possession is enough', async () => {
    const { key } = await withKey()
    const { client, answer } = await byPassword()
    expect(answer.data).toEqual({ require_2fa: true, methods: ['passkey'] })
    expect((await client.call('GET', '/api/user/passkey')).status).toBe(401)
    const options = await begin(client, 'login', { second_factor: true })
    expect(options.allowCredentials).toMatchObject([{ id: key.id }])
    const entered = await client.call(
      'POST',
      '/api/user/login/passkey',
      key.get(options, { isVerified: false }),
    )
    expect(entered.data).toMatchObject({ id: ada.id })
  })

  it('are no second factor for somebody else', async () => {
    await withKey()
    const eve = await app.accounts.create({ username: 'eve', by: 'admin' })
    const { key: evil } = await withKey(eve.id)
    const { client } = await byPassword()
    const options = await begin(client, 'login', { second_factor: true })
    expect(await client.call('POST', '/api/user/login/passkey', evil.get(options))).toMatchObject({
      code: 'passkey.refused',
    })
    const stranger = app.client()
    expect(
      await stranger.call('POST', '/api/user/passkey/login/begin', { second_factor: true }),
    ).toMatchObject({ code: 'second_factor.no_sign_in' })
  })

  it('are registered once, by whoever was asked, with the person verified', async () => {
    const { client, key } = await withKey()
    const again = key.create(await begin(client, 'register'))
    const finish = '/api/user/passkey/register/finish'
    expect(await client.call('POST', finish, again)).toMatchObject({ code: 'passkey.known' })
    const other = new SoftAuthenticator(site)
    const options = await begin(client, 'register')
    const eve = await app.accounts.create({ username: 'eve', by: 'admin' })
    const hers = await app.signedIn(eve.id)
    expect(await hers.call('POST', finish, other.create(options))).toMatchObject({
      code: 'passkey.challenge_gone',
    })
    const unseen = other.create(options, { isVerified: false })
    expect(await client.call('POST', finish, unseen)).toMatchObject({ code: 'passkey.refused' })
    const elsewhere = other.create(await begin(client, 'register'), { origin: 'https://evil.test' })
    expect(await client.call('POST', finish, elsewhere)).toMatchObject({ code: 'passkey.refused' })
  })

  it('stay as second factors when the way in by them is switched off', async () => {
    const { client: own, key } = await withKey()
    await app.options.setMany({ 'passkey.enabled': 'false' })
    const off = { code: 'passkey.off' }
    expect(await app.client().call('POST', '/api/user/passkey/login/begin', {})).toMatchObject(off)
    expect(await own.call('POST', '/api/user/passkey/register/begin', {})).toMatchObject(off)
    const { client, answer } = await byPassword()
    expect(answer.data).toMatchObject({ require_2fa: true })
    const options = await begin(client, 'login', { second_factor: true })
    const entered = await client.call('POST', '/api/user/login/passkey', key.get(options))
    expect(entered.success).toBe(true)
    await app.options.setMany({ 'passkey.enabled': 'true' })
  })

  it('stand beside an authenticator; either opens', async () => {
    const { client } = await withKey()
    const { data } = await client.call<{ secret: string }>('POST', '/api/user/2fa/setup')
    const code = new TOTP({ secret: data.secret }).generate()
    expect((await client.call('POST', '/api/user/2fa/enable', { code })).success).toBe(true)
    expect((await byPassword()).answer.data).toEqual({
      require_2fa: true,
      methods: ['totp', 'passkey'],
    })
  })
})
