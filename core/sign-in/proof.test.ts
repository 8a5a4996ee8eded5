// Who is asked again who he is, by what he shows it, and who must have a second factor before anything else.
import { TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { UserRecord } from '#core'
import { createPluginApp, databaseKinds, type InjectClient, type PluginApp } from '#test'
import authPassword from '../../plugins/auth-password/index.ts'
import passkeySignIn from '../../plugins/passkey-sign-in/index.ts'
import personal from '../../plugins/personal/index.ts'
import {
  type CeremonyOptions,
  SoftAuthenticator,
} from '../../test/harness/counterparts/authenticator.ts'
import { hashPassword } from '../accounts/passwords.ts'

interface Begun {
  options: { publicKey: CeremonyOptions }
}

const site = 'https://gate.example'
const password = 'correct horse'
const needed = { success: false, code: 'auth.proof_needed' }

describe.each(databaseKinds)('on $name', (kind) => {
  let app: PluginApp
  let ada: UserRecord
  /** Made once: a hash takes long. */
  let hashed: string
  let nowMs = Date.now()

  beforeAll(async () => {
    hashed = await hashPassword(password)
    app = await createPluginApp({
      kind,
      plugins: [authPassword, passkeySignIn, personal],
      now: () => nowMs,
    })
    await app.options.setMany({ ServerAddress: site })
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    ada = await app.accounts.create({ username: 'ada', by: 'admin' })
    await app.database.run('UPDATE users SET password = :hashed', { hashed })
  })
  afterEach(async () => {
    await app.options.setMany({ AdminSecondFactorRequired: 'false' })
    await app.removeAccounts()
    await app.database.run('DELETE FROM passkeys')
    await app.database.run('DELETE FROM second_factors')
    nowMs += 60_000
  })

  const old = () => app.signedIn(ada.id, { isFresh: false })
  const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: nowMs })
  async function addCodes(client: InjectClient) {
    const { data } = await client.call<{ secret: string }>('POST', '/api/user/2fa/setup')
    await client.call('POST', '/api/user/2fa/enable', { code: codeOf(data.secret) })
    nowMs += 60_000
    return data.secret
  }
  async function addKey(client: InjectClient) {
    const key = new SoftAuthenticator(site)
    const { data } = await client.call<Begun>('POST', '/api/user/passkey/register/begin')
    const body = key.create(data.options.publicKey)
    await client.call('POST', '/api/user/passkey/register/finish', body)
    return key
  }
  const removal = (client: InjectClient) => client.call('DELETE', '/api/user/passkey')

  describe('a password', () => {
    it('is changed with the one before in the same body, whatever the age of the session', async () => {
      const body = { original_password: password, password: 'another horse' }
      expect((await (await old()).call('PUT', '/api/user/self', body)).success).toBe(true)
    })

    it('is set for the first time by whoever has shown who he is', async () => {
      const eve = await app.accounts.create({ username: 'eve', by: 'admin' })
      const body = { password: 'another horse' }
      const stale = await app.signedIn(eve.id, { isFresh: false })
      expect(await stale.call('PUT', '/api/user/self', body)).toMatchObject(needed)
      const fresh = await app.signedIn(eve.id)
      expect((await fresh.call('PUT', '/api/user/self', body)).success).toBe(true)
    })
  })

  describe('who it is', () => {
    const methods = async (client: InjectClient) =>
      (await client.call<{ methods: string[] }>('GET', '/api/verify')).data.methods

    it('is shown by the password, which is guessed no faster here', async () => {
      const client = await old()
      expect(await methods(client)).toEqual(['password'])
      const wrong = { method: 'password', password: 'wrong horse' }
      expect(await client.call('POST', '/api/verify', wrong)).toMatchObject({
        code: 'auth.proof_password_wrong',
      })
      expect(await removal(client)).toMatchObject(needed)
      const right = { method: 'password', password }
      expect((await client.call('POST', '/api/verify', right)).success).toBe(true)
      expect((await removal(client)).success).toBe(true)
      expect(await removal(await old())).toMatchObject(needed)
      const other = await old()
      for (let guess = 0; guess < 9; guess += 1) await other.call('POST', '/api/verify', wrong)
      expect(await other.call('POST', '/api/verify', wrong)).toMatchObject({
        code: 'guesses.too_many',
      })
    })

    it('is shown by a code of the authenticator, once', async () => {
      const secret = await addCodes(await app.signedIn(ada.id))
      const client = await old()
      expect(await methods(client)).toEqual(['totp', 'password'])
      // The second name is that of older consoles.
      const body = { method: '2fa', code: codeOf(secret) }
      expect((await client.call('POST', '/api/verify', body)).success).toBe(true)
      expect((await removal(client)).success).toBe(true)
      const again = { ...body, method: 'totp' }
      expect(await (await old()).call('POST', '/api/verify', again)).toMatchObject({
        code: 'second_factor.code_wrong',
      })
    })

    it('is shown by an own passkey', async () => {
      const key = await addKey(await app.signedIn(ada.id))
      const eve = await app.accounts.create({ username: 'eve', by: 'admin' })
      const evil = await addKey(await app.signedIn(eve.id))
      const client = await old()
      const ask = async (by: SoftAuthenticator, isVerified = true) => {
        const { data } = await client.call<Begun>('POST', '/api/user/passkey/verify/begin')
        const body = by.get(data.options.publicKey, { isVerified })
        return client.call('POST', '/api/user/passkey/verify/finish', body)
      }
      expect(await ask(evil)).toMatchObject({ code: 'passkey.refused' })
      expect(await ask(key, false)).toMatchObject({ code: 'passkey.refused' })
      expect(await removal(client)).toMatchObject(needed)
      expect((await ask(key)).success).toBe(true)
      expect((await removal(client)).success).toBe(true)
    })

    it('is shown by signing in anew where there is neither', async () => {
      const eve = await app.accounts.create({ username: 'eve', by: 'provider' })
      expect(await methods(await app.signedIn(eve.id, { isFresh: false }))).toEqual([])
      const nobody = { method: 'password', password: '' }
      const client = await app.signedIn(eve.id, { isFresh: false })
      expect((await client.call('POST', '/api/verify', nobody)).success).toBe(false)
    })

    it.each([
      {},
      { method: 'password' },
      { method: 'magic', code: '1' },
      { method: 'totp', code: 7 },
      { method: 'totp', code: 'a\u0000b' },
    ])('is not shown by %j', async (body) => {
      expect((await (await old()).call('POST', '/api/verify', body)).success).toBe(false)
    })
  })

  // Here the databases make no difference.
  if (kind !== databaseKinds[0]) return

  describe('what changes how an account is got into', () => {
    const routes = [
      ['POST', '/api/user/2fa/setup'],
      ['POST', '/api/user/passkey/register/begin'],
      ['DELETE', '/api/user/passkey'],
      ['DELETE', `/api/user/passkey/${'a'.repeat(22)}`],
      ['DELETE', '/api/user/self'],
      ['GET', '/api/oauth/email/bind?email=a@b.example&code=1'],
    ] as const

    it.each(routes)('is asked for by %s %s', async (method, path) => {
      expect(await (await old()).call(method, path)).toMatchObject(needed)
      const fresh = await (await app.signedIn(ada.id)).call(method, path)
      expect(fresh.code).not.toBe(needed.code)
    })

    it('takes no access token', async () => {
      const token = await app.accounts.newAccessToken(ada.id)
      const script = app.client().useToken(ada.id, token)
      expect(await removal(script)).toMatchObject(needed)
      const proof = { method: 'password', password }
      expect(await script.call('POST', '/api/verify', proof)).toMatchObject({
        code: 'auth.proof_needs_session',
      })
    })

    it('is free for a while after signing in', async () => {
      const client = await app.client().signIn('ada', password)
      expect((await removal(client)).success).toBe(true)
    })

    it('asks again when ten minutes have gone', async () => {
      const client = await app.signedIn(ada.id)
      const before = Date.now() - 10 * 60_000
      await app.database.run('UPDATE sessions SET data = :data', {
        data: JSON.stringify({ proved_at: before }),
      })
      expect(await removal(client)).toMatchObject(needed)
    })

    it('leaves the rest of the account alone', async () => {
      const client = await old()
      const renamed = await client.call('PUT', '/api/user/self', { display_name: 'Ada L' })
      expect(renamed.success).toBe(true)
    })
  })

  describe('admins who must have a second factor', () => {
    const required = { success: false, code: 'auth.factor_required' }
    const admin = async (role = 10) => {
      const user = await app.accounts.create({ username: `admin${role}`, role, by: 'setup' })
      return app.signedIn(user.id)
    }
    const demand = () => app.options.setMany({ AdminSecondFactorRequired: 'true' })

    it.each([10, 100])('do nothing before they have one, of role %i', async (role) => {
      const client = await admin(role)
      expect((await client.call('GET', '/api/user/models')).code).not.toBe(required.code)
      await demand()
      expect(await client.call('GET', '/api/user/models')).toMatchObject(required)
      expect(await client.call('PUT', '/api/user/self', { display_name: 'x' })).toMatchObject(
        required,
      )
      expect((await client.call('GET', '/api/user/self')).success).toBe(true)
      await addCodes(client)
      const after = await client.call('PUT', '/api/user/self', { display_name: 'x' })
      expect(after.success).toBe(true)
    })

    it('are content with a passkey', async () => {
      const client = await admin()
      await demand()
      await addKey(client)
      expect((await client.call('GET', '/api/user/sessions')).success).toBe(true)
      expect((await removal(client)).success).toBe(true)
    })

    it('get no further by an access token, and users are not asked', async () => {
      const user = await app.accounts.create({ username: 'boss', role: 10, by: 'setup' })
      const token = await app.accounts.newAccessToken(user.id)
      await demand()
      const script = app.client().useToken(user.id, token)
      expect(await script.call('GET', '/api/user/sessions')).toMatchObject(required)
      const own = await app.signedIn(ada.id)
      expect((await own.call('GET', '/api/user/sessions')).success).toBe(true)
    })
  })
})
