// What a caller begins who was let in, and whose session or access token ends before it is done.
import { Readable } from 'node:stream'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPluginApp, databaseKinds, type InjectClient, type PluginApp } from '#test'
import personal from '../../plugins/personal/index.ts'
import tokensPlugin from '../../plugins/tokens/index.ts'
import { SoftAuthenticator } from '../../test/harness/counterparts/authenticator.ts'
import { Sessions } from '../accounts/sessions.ts'
import { definePlugin } from '../index.ts'
import { createTokens, type Tokens } from '../tokens/tokens.ts'
import { registrationOf } from './passkey-schema.ts'
import { Passkeys } from './passkeys.ts'

/** Between the asking of the provider and its answer. */
let meanwhile = async (): Promise<unknown> => undefined

const slow = definePlugin({
  id: 'slow',
  server: ({ authProviders }) =>
    authProviders.add({
      id: 'slow',
      kind: 'redirect',
      name: { en: 'Slow', zh: '慢' },
      isEnabled: () => true,
      authorizeUrl: ({ state }) => `https://slow.example.com/?state=${state}`,
      identify: async () => {
        await meanwhile()
        return { subject: '7' }
      },
    }),
})

describe.each(databaseKinds)('on $name', (kind) => {
  let app: PluginApp
  let tokens: Tokens
  let userId = 0
  let users = 0
  const refused = { status: 401, code: 'auth.required' }

  beforeAll(async () => {
    app = await createPluginApp({
      kind,
      plugins: [slow, personal, tokensPlugin],
      services: async (made) => {
        tokens = createTokens(made)
        return { tokens }
      },
    })
  })
  afterAll(async () => {
    tokens.close()
    await app.close()
  })
  beforeEach(async () => {
    users += 1
    const input = { username: `ada${users}`, password: 'old password', by: 'admin' } as const
    userId = (await app.accounts.create(input)).id
  })

  const newPassword = () => app.accounts.update(userId, { password: 'a new password' })
  const signOut = () => app.accounts.endSessions(userId)
  /** A body that is read after somebody has done something. */
  const after = (work: () => Promise<unknown>, body: object) =>
    Readable.from(
      (async function* late() {
        await work()
        yield Buffer.from(JSON.stringify(body))
      })(),
    )

  it('binds nothing after a new password', async () => {
    const thief = await app.signedIn(userId)
    const { data } = await thief.call<string>('GET', '/api/oauth/state?provider=slow')
    meanwhile = newPassword
    const answer = await thief.call('GET', `/api/oauth/slow?code=x&state=${data}`)
    expect(answer).toMatchObject(refused)
    expect(await app.accounts.identitiesOf(userId)).toEqual([])
  })

  it('binds nothing for a session that has long been open, however the console began it', async () => {
    meanwhile = async () => undefined
    const stale = await app.signedIn(userId, { isFresh: false })
    const needed = { code: 'auth.proof_needed' }
    expect(await stale.call('GET', '/api/oauth/state?provider=slow')).toMatchObject(needed)
    // Older consoles name no provider.
    const { data } = await stale.call<string>('GET', '/api/oauth/state')
    expect(await stale.call('GET', `/api/oauth/slow?code=x&state=${data}`)).toMatchObject(needed)
    expect(await app.accounts.identitiesOf(userId)).toEqual([])
  })

  it.each([
    { what: 'a new password', end: newPassword },
    { what: 'a sign-out everywhere', end: signOut },
  ])('makes no key and switches no authenticator on after $what', async ({ end }) => {
    const key = await app.signedIn(userId)
    const late = await key.call('POST', '/api/token/', after(end, { name: 'late' }))
    expect(late).toMatchObject(refused)
    expect((await tokens.list(userId, { offset: 0, limit: 1 })).total).toBe(0)
    const thief = await app.signedIn(userId)
    const { data } = await thief.call<{ secret: string }>('POST', '/api/user/2fa/setup')
    const code = new TOTP({ secret: data.secret }).generate()
    const enabled = await thief.call('POST', '/api/user/2fa/enable', after(end, { code }))
    expect(enabled).toMatchObject(refused)
    const owner = await app.signedIn(userId)
    const status = await owner.call('GET', '/api/user/2fa/status')
    expect(status).toMatchObject({ data: { enabled: false } })
  })

  it('shows no new recovery codes after a new password', async () => {
    const thief = await app.signedIn(userId)
    const { data } = await thief.call<{ secret: string; backup_codes: string[] }>(
      'POST',
      '/api/user/2fa/setup',
    )
    const [first, second] = [0, 30_000].map((later) =>
      new TOTP({ secret: data.secret }).generate({ timestamp: Date.now() + later }),
    )
    await thief.call('POST', '/api/user/2fa/enable', { code: first })
    const body = after(newPassword, { code: second })
    expect(await thief.call('POST', '/api/user/2fa/backup_codes', body)).toMatchObject(refused)
  })

  it('switches no authenticator off after a new password', async () => {
    const thief = await app.signedIn(userId)
    const { data } = await thief.call<{ secret: string }>('POST', '/api/user/2fa/setup')
    const [first, second] = [0, 30_000].map((later) =>
      new TOTP({ secret: data.secret }).generate({ timestamp: Date.now() + later }),
    )
    await thief.call('POST', '/api/user/2fa/enable', { code: first })
    const body = after(newPassword, { code: second })
    expect(await thief.call('POST', '/api/user/2fa/disable', body)).toMatchObject(refused)
    const owner = await app.signedIn(userId)
    const status = await owner.call('GET', '/api/user/2fa/status')
    expect(status).toMatchObject({ data: { enabled: true } })
  })

  it('changes no password and makes no key by an access token that has ended', async () => {
    const script = async (): Promise<InjectClient> =>
      app.client().useToken(userId, await app.accounts.newAccessToken(userId))
    const own = { password: 'password of a thief', original_password: 'old password' }
    const anew = () => app.accounts.newAccessToken(userId)
    expect(await (await script()).call('PUT', '/api/user/self', after(anew, own))).toMatchObject(
      refused,
    )
    expect(await app.accounts.checkPassword(userId, 'old password')).toBe(true)
    const late = await script()
    expect(await late.call('POST', '/api/token/', after(newPassword, { name: 'k' }))).toMatchObject(
      refused,
    )
    expect((await tokens.list(userId, { offset: 0, limit: 1 })).total).toBe(0)
  })

  it('keeps no passkey after a new password', async () => {
    const passkeys = new Passkeys(app)
    const sessions = new Sessions(app)
    const { session } = await sessions.start({
      userId,
      data: {},
      address: '',
      userAgent: '',
    })
    sessions.close()
    const values = new Map<string, unknown>()
    const call = {
      session: {
        id: session.id,
        change: async (key: string, next: (value: unknown) => unknown) =>
          void values.set(key, next(values.get(key))),
      } as never,
      site: { rpId: 'gate.example', origins: ['https://gate.example'] },
    }
    const options = await passkeys.beginRegistration(call, { id: userId, username: 'ada' }, 'gate')
    const made = registrationOf({
      ...new SoftAuthenticator('https://gate.example').create(options),
      type: 'public-key',
    })
    await newPassword()
    const caller = { id: userId, by: 'session', credential: session.id } as const
    await expect(passkeys.register(call, { caller, name: 'late' }, made)).rejects.toMatchObject({
      code: 'auth.required',
    })
    expect(await passkeys.has(userId)).toBe(false)
  })
})
