import { TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { definePlugin, envelope, type UserRecord } from '#core'
import { createPluginApp, databaseKinds, type PluginApp } from '#test'
import { Guesses } from '../accounts/guesses.ts'
import { Sessions } from '../accounts/sessions.ts'
import type { SessionHandle } from '../contract/http.ts'
import { createRateLimits } from '../limits/rate-limits.ts'
import { Factors } from './factors.ts'
import { Passkeys } from './passkeys.ts'
import { SecondFactors } from './second-factors.ts'

interface Setup {
  secret: string
  qr_code_data: string
  backup_codes: string[]
}

/** A way to sign in of a plugin's own; every other one ends in the same place. */
const door = definePlugin({
  id: 'door',
  server: ({ routes, accounts, signIn }) =>
    routes.add((app) => {
      app.post('/api/door', { config: { access: 'public' } }, async (request, reply) => {
        const { name } = request.body as { name: string }
        const user = (await accounts.findByLogin(name)) as UserRecord
        return envelope(await signIn.complete(request, reply, user))
      })
    }),
})

describe.each(databaseKinds)('on $name', (kind) => {
  let app: PluginApp
  let ada: UserRecord
  let nowMs = Date.now()

  beforeAll(async () => {
    app = await createPluginApp({ kind, plugins: [door], now: () => nowMs })
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    ada = await app.accounts.create({ username: 'ada', by: 'admin' })
  })
  afterEach(() => app.removeAccounts())

  const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: nowMs })
  const passTime = () => {
    nowMs += 60_000
  }

  /** A user with an authenticator, and a session of his. */
  async function withFactor(userId: number) {
    const client = await app.signedIn(userId)
    const { data } = await client.call<Setup>('POST', '/api/user/2fa/setup')
    const enabled = await client.call('POST', '/api/user/2fa/enable', { code: codeOf(data.secret) })
    expect(enabled.success).toBe(true)
    passTime()
    return { client, ...data }
  }
  async function atTheDoor(name = 'ada') {
    const client = app.client()
    const answer = await client.call('POST', '/api/door', { name })
    return { client, answer }
  }

  describe('a sign-in with a second factor', () => {
    it('asks for the code after the first factor, whatever that was', async () => {
      const { secret } = await withFactor(ada.id)
      const { client, answer } = await atTheDoor()
      expect(answer.data).toEqual({ require_2fa: true, methods: ['totp'] })
      expect((await client.call('GET', '/api/user/2fa/status')).status).toBe(401)
      const entered = await client.call('POST', '/api/user/login/2fa', { code: codeOf(secret) })
      expect(entered.data).toMatchObject({ id: ada.id, username: 'ada', role: 1 })
    })

    it('waits five minutes for the code', async () => {
      const { secret } = await withFactor(ada.id)
      const enter = ({ client }: Awaited<ReturnType<typeof atTheDoor>>, later: number) => {
        vi.spyOn(Date, 'now').mockReturnValue(begunAtMs + later)
        return client.call('POST', '/api/user/login/2fa', { code: codeOf(secret) })
      }
      const begunAtMs = Date.now()
      vi.spyOn(Date, 'now').mockReturnValue(begunAtMs)
      const [late, inTime] = [await atTheDoor(), await atTheDoor()]
      expect(await enter(late, 300_000)).toMatchObject({ code: 'second_factor.no_sign_in' })
      expect(await enter(inTime, 299_999)).toMatchObject({ success: true })
    })

    it('counts a code once, also when it comes twice at once', async () => {
      const { secret } = await withFactor(ada.id)
      const doors = [await atTheDoor(), await atTheDoor(), await atTheDoor()]
      const code = codeOf(secret)
      const answers = await Promise.all(
        doors.map(({ client }) => client.call('POST', '/api/user/login/2fa', { code })),
      )
      expect(answers.filter(({ success }) => success)).toHaveLength(1)
    })

    it('takes a recovery code in place of one, once', async () => {
      const { client, backup_codes: codes } = await withFactor(ada.id)
      const [one = '', two = ''] = codes
      const enter = async (code: string) =>
        (await atTheDoor()).client.call('POST', '/api/user/login/2fa', { code })
      expect((await enter(one)).success).toBe(true)
      expect(await enter(one)).toMatchObject({ code: 'second_factor.code_wrong' })
      const asOnPaper = `${two.slice(0, 5).toUpperCase()}-${two.slice(5)} `
      expect((await enter(asOnPaper)).success).toBe(true)
      const { data } = await client.call<object>('GET', '/api/user/2fa/status')
      expect(data).toMatchObject({ backup_codes_remaining: 8 })
    })

    it('takes the codes beside the current one, for clocks that are wrong, and none further off', async () => {
      const { secret } = await withFactor(ada.id)
      passTime()
      const enter = async (seconds: number) => {
        const code = new TOTP({ secret }).generate({ timestamp: nowMs + seconds * 1000 })
        const { client } = await atTheDoor()
        return (await client.call('POST', '/api/user/login/2fa', { code })).success
      }
      expect([await enter(-60), await enter(-30)]).toEqual([false, true])
      expect([await enter(60), await enter(30)]).toEqual([false, true])
    })

    it('slows down guessing', async () => {
      const { secret } = await withFactor(ada.id)
      const { client } = await atTheDoor()
      const wrong = () => client.call('POST', '/api/user/login/2fa', { code: 'wrong' })
      for (let guess = 0; guess < 10; guess += 1)
        expect(await wrong()).toMatchObject({ code: 'second_factor.code_wrong' })
      expect(await wrong()).toMatchObject({ code: 'guesses.too_many' })
      const right = await client.call('POST', '/api/user/login/2fa', { code: codeOf(secret) })
      expect(right.success).toBe(false)
    })

    it('lets all networks together guess a hundred codes a day', async () => {
      const { secret } = await withFactor(ada.id)
      const rateLimits = createRateLimits({ redis: undefined })
      const guesses = new Guesses({ rateLimits, pause: () => Promise.resolve() })
      const factors = new SecondFactors({ ...app, guesses, now: () => nowMs })
      const session = { knownDevices: async () => new Map() } as unknown as SessionHandle
      const guess = (network: number, code: string) =>
        factors.check(ada.id, code, { clientAddress: `192.0.2.${network}`, session })
      for (let network = 0; network < 100; network += 1)
        await expect(guess(network, 'wrong')).rejects.toMatchObject({
          code: 'second_factor.code_wrong',
        })
      const right = guess(100, codeOf(secret))
      await expect(right).rejects.toMatchObject({ code: 'guesses.too_many' })
    })

    it('goes on in a browser that the user is known in, whatever strangers guess beside him', async () => {
      const { secret } = await withFactor(ada.id)
      const code = () => ({ code: codeOf(secret) })
      const { client: home } = await atTheDoor()
      await home.call('POST', '/api/user/login/2fa', code())
      passTime()
      const { client: stranger } = await atTheDoor()
      for (let guess = 0; guess < 10; guess += 1)
        await stranger.call('POST', '/api/user/login/2fa', { code: 'wrong' })
      expect(await stranger.call('POST', '/api/user/login/2fa', code())).toMatchObject({
        code: 'guesses.too_many',
      })
      await home.call('POST', '/api/door', { name: 'ada' })
      expect(await home.call('POST', '/api/user/login/2fa', code())).toMatchObject({
        success: true,
      })
    })

    it('opens nothing without the first factor, nor for a banned user', async () => {
      const { secret } = await withFactor(ada.id)
      const stranger = await app
        .client()
        .call('POST', '/api/user/login/2fa', { code: codeOf(secret) })
      expect(stranger).toMatchObject({ code: 'second_factor.no_sign_in' })
      const { client } = await atTheDoor()
      await app.accounts.update(ada.id, { status: 2 })
      const banned = await client.call('POST', '/api/user/login/2fa', { code: codeOf(secret) })
      expect(banned.success).toBe(false)
    })
  })

  it('a sign-in that waits for its code ends with the password that it began with', async () => {
    const { secret } = await withFactor(ada.id)
    const { client } = await atTheDoor()
    await app.accounts.update(ada.id, { password: 'another horse' })
    const late = await client.call('POST', '/api/user/login/2fa', { code: codeOf(secret) })
    expect(late).toMatchObject({ code: 'second_factor.no_sign_in' })
    const again = await atTheDoor()
    const entered = await again.client.call('POST', '/api/user/login/2fa', {
      code: codeOf(secret),
    })
    expect(entered).toMatchObject({ success: true })
  })

  describe('the own authenticator', () => {
    it('counts from the first right code on', async () => {
      const client = await app.signedIn(ada.id)
      expect(await client.call('POST', '/api/user/2fa/enable', { code: '123456' })).toMatchObject({
        code: 'second_factor.not_set_up',
      })
      const { data } = await client.call<Setup>('POST', '/api/user/2fa/setup')
      expect(data.qr_code_data).toMatch(/^otpauth:\/\/totp\/Tollgate:ada\?/)
      expect(data.backup_codes).toHaveLength(10)
      expect((await atTheDoor()).answer.data).toMatchObject({ id: ada.id })
      expect(await client.call('POST', '/api/user/2fa/enable', { code: '' })).toMatchObject({
        code: 'second_factor.code_missing',
      })
      await client.call('POST', '/api/user/2fa/enable', { code: codeOf(data.secret) })
      const { data: status } = await client.call('GET', '/api/user/2fa/status')
      expect(status).toEqual({ enabled: true, backup_codes_remaining: 10 })
      expect((await client.call('POST', '/api/user/2fa/setup')).code).toBe('second_factor.on')
    })

    it('stays on, however many set-ups are begun while it is switched on', async () => {
      for (let round = 0; round < 5; round += 1) {
        const bob = await app.accounts.create({ username: `bob${round}`, by: 'admin' })
        const client = await app.signedIn(bob.id)
        const setUp = () => client.call<Setup>('POST', '/api/user/2fa/setup')
        const code = codeOf((await setUp()).data.secret)
        const enable = () => client.call('POST', '/api/user/2fa/enable', { code })
        const [enabled] = await Promise.all([enable(), setUp(), setUp(), setUp(), setUp()])
        const { data } = await client.call<object>('GET', '/api/user/2fa/status')
        expect(data).toMatchObject({ enabled: enabled.success })
      }
    })

    it('is given up, and its recovery codes are renewed, with a code only', async () => {
      const { client, secret, backup_codes: old } = await withFactor(ada.id)
      const no = await client.call('POST', '/api/user/2fa/disable', { code: '000000x' })
      expect(no).toMatchObject({ code: 'second_factor.code_wrong' })
      const renewed = await client.call<{ backup_codes: string[] }>(
        'POST',
        '/api/user/2fa/backup_codes',
        { code: codeOf(secret) },
      )
      expect(renewed.data.backup_codes).not.toContain(old[0])
      const gone = await client.call('POST', '/api/user/2fa/disable', { code: old[1] })
      expect(gone.success).toBe(false)
      const code = renewed.data.backup_codes[0]
      expect((await client.call('POST', '/api/user/2fa/disable', { code })).success).toBe(true)
      expect((await atTheDoor()).answer.data).toMatchObject({ id: ada.id })
    })

    it('stands in no row in clear', async () => {
      const { secret, backup_codes: codes } = await withFactor(ada.id)
      const rows = await app.database.select<object>('SELECT * FROM second_factors')
      const text = JSON.stringify(rows)
      expect(text).not.toContain(secret)
      expect(text).not.toContain(codes[0])
    })
  })

  describe('the reset by an admin', () => {
    const reset = async (role: number, id: number) => {
      const by = await app.accounts.create({ username: `by${role}`, role, by: 'setup' })
      return (await app.signedIn(by.id)).call('DELETE', `/api/user/${id}/2fa`)
    }

    it('reaches users below only', async () => {
      await withFactor(ada.id)
      expect((await reset(1, ada.id)).success).toBe(false)
      expect((await reset(10, ada.id)).success).toBe(true)
      expect((await atTheDoor()).answer.data).toMatchObject({ id: ada.id })
      const boss = await app.accounts.create({ username: 'boss', role: 100, by: 'setup' })
      await withFactor(boss.id)
      const admin = await app.accounts.findByLogin('by10')
      const client = await app.signedIn(admin?.id ?? 0)
      expect(await client.call('DELETE', `/api/user/${boss.id}/2fa`)).toMatchObject({
        code: 'second_factor.out_of_reach',
      })
      expect(await client.call('DELETE', '/api/user/0/2fa')).toMatchObject({ success: false })
    })

    it('leaves the factors of a user who has meanwhile come to the role of the admin', async () => {
      await withFactor(ada.id)
      const admin = await app.accounts.create({ username: 'by10', role: 10, by: 'setup' })
      const sessions = new Sessions(app)
      const { session } = await sessions.start({
        userId: admin.id,
        data: {},
        address: '',
        userAgent: '',
      })
      sessions.close()
      const caller = { id: admin.id, by: 'session', credential: session.id } as const
      const secondFactors = new SecondFactors({ ...app, guesses: undefined as never })
      const factors = new Factors({ ...app, secondFactors, passkeys: new Passkeys(app) })
      await app.accounts.update(ada.id, { role: 10 })
      await expect(factors.removeAll(ada.id, caller)).rejects.toMatchObject({
        code: 'access.role_too_low',
      })
      expect(await secondFactors.isEnabled(ada.id)).toBe(true)
      await app.accounts.update(ada.id, { role: 1 })
      expect(await factors.removeAll(ada.id, caller)).toBe(true)
    })

    it('is the same at the address by which older consoles reset a passkey', async () => {
      await withFactor(ada.id)
      const boss = await app.accounts.create({ username: 'boss', role: 100, by: 'setup' })
      const path = `/api/user/${ada.id}/reset_passkey`
      const stale = await app.signedIn(boss.id, { isFresh: false })
      expect(await stale.call('DELETE', path)).toMatchObject({ code: 'auth.proof_needed' })
      const self = await app.signedIn(ada.id)
      expect((await self.call('DELETE', path)).success).toBe(false)
      const client = await app.signedIn(boss.id)
      expect((await client.call('DELETE', path)).success).toBe(true)
      expect(await client.call('DELETE', path)).toMatchObject({ code: 'second_factor.off' })
    })
  })
})
