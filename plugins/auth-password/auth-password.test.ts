import { createHook } from 'node:async_hooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { defineOptions, definePlugin, Type, type UserRecord } from '#core'
import { createPluginApp, databaseKinds, type PluginApp } from '#test'
import authPassword from './index.ts'

const password = 'correct horse'

const made: unknown[] = []

/** Stands in for the plugin that mails codes. */
const mail = definePlugin({
  id: 'mail',
  options: defineOptions({ EmailVerificationEnabled: Type.Boolean({ default: false }) }),
})

let isOtherOn = true
const other = definePlugin({
  id: 'other',
  server: ({ authProviders }) =>
    authProviders.add({
      id: 'other',
      kind: 'direct',
      name: { en: 'Other', zh: '其他' },
      isEnabled: () => isOtherOn,
      identify: () => Promise.resolve({ subject: '1' }),
    }),
})

describe.each(databaseKinds)('on $name', (kind) => {
  let app: PluginApp
  let ada: UserRecord
  let isFirstTokenOn = false

  beforeAll(async () => {
    const tokens = { create: (userId: number, input: object) => made.push({ userId, ...input }) }
    app = await createPluginApp({
      kind,
      plugins: [authPassword, mail, other],
      environment: { read: () => String(isFirstTokenOn) },
      services: { tokens: tokens as never },
    })
  })
  afterAll(() => app.close())

  beforeEach(async () => {
    made.length = 0
    isFirstTokenOn = false
    await app.accounts.create({ password, username: 'root', role: 100, by: 'setup' })
    ada = await app.accounts.create({
      password,
      username: 'ada',
      email: 'ada@example.com',
      by: 'admin',
    })
  })
  afterEach(async () => {
    const keys = ['PasswordLoginEnabled', 'PasswordRegisterEnabled', 'RegisterEnabled']
    await app.options.setMany(Object.fromEntries(keys.map((key) => [key, 'true'])))
    await app.removeAccounts()
  })

  const signIn = (username: unknown, secret: unknown = password) =>
    app.client().call('POST', '/api/user/login', { username, password: secret })
  const signInFrom = async (remoteAddress: string, username: string, secret = password) => {
    const answer = await app.app.inject({
      method: 'POST',
      url: '/api/user/login',
      remoteAddress,
      payload: { username, password: secret },
    })
    return answer.json<{ success: boolean; code?: string }>()
  }
  const register = (body: object) => app.client().call('POST', '/api/user/register', body)

  describe('sign-in by password', () => {
    it.each(['ada', ' ada ', 'ADA@example.com'])('lets "%s" in with six fields', async (name) => {
      const answer = await signIn(name)
      expect(answer.data).toEqual({
        id: ada.id,
        username: 'ada',
        display_name: 'ada',
        role: 1,
        status: 1,
        group: 'default',
      })
      expect(answer.headers['set-cookie']).toEqual([
        expect.stringMatching(/^session=/),
        expect.stringMatching(/^device=/),
      ])
    })

    it.each([
      { it: 'a wrong password', name: 'ada', secret: 'wrong password' },
      { it: 'an unknown name', name: 'nobody', secret: password },
      { it: 'a banned user', name: 'banned', secret: password },
      { it: 'a locked user', name: 'locked', secret: password },
      { it: 'a deregistered user', name: 'gone', secret: password },
    ])('answers $it with one common text', async ({ name, secret }) => {
      const add = (username: string) => app.accounts.create({ password, username, by: 'admin' })
      await app.accounts.update((await add('banned')).id, { status: 2 })
      await app.accounts.update((await add('locked')).id, { status: 3 })
      await app.accounts.softDelete((await add('gone')).id)
      const answer = await signIn(name, secret)
      expect(answer).toMatchObject({ status: 200, success: false, code: 'sign_in.refused' })
      expect(answer.headers['set-cookie']).toBeUndefined()
    })

    it('hashes as often for a name that does not exist, is shut or is gone', async () => {
      const add = (username: string) => app.accounts.create({ password, username, by: 'admin' })
      await app.accounts.update((await add('shut')).id, { status: 2 })
      await app.accounts.softDelete((await add('left')).id)
      // The hash of nobody is made once.
      await signIn('nobody', 'wrong password')
      let hashes = 0
      // The work of argon2 in other threads has no name.
      const watch = createHook({
        init: (_id, type) => void (hashes += type === 'undefined' ? 1 : 0),
      })
      watch.enable()
      for (const name of ['ada', 'nobody', 'shut', 'left', 'nobody@example.com']) {
        hashes = 0
        expect(await signIn(name, 'wrong password')).toMatchObject({ code: 'sign_in.refused' })
        expect([name, hashes]).toEqual([name, 1])
      }
      watch.disable()
    })

    it.each([
      { body: {}, code: 'sign_in.incomplete' },
      { body: { username: 'ada', password: null }, code: 'sign_in.incomplete' },
      { body: { username: { $gt: '' }, password }, code: 'request.invalid_field' },
      { body: [], code: 'request.invalid_field' },
      { body: 'text', code: 'request.invalid_field' },
    ])('answers $code for the body $body', async ({ body, code }) => {
      const answer = await app.client().call('POST', '/api/user/login', body)
      expect(answer).toMatchObject({ status: 200, success: false, code })
    })

    it.each([
      { what: 'the password is changed', end: { password: 'another horse' } },
      { what: 'the account is banned', end: { status: 2 } },
    ])('leaves no session behind when $what at the same moment', async ({ end }) => {
      for (let round = 0; round < 2; round += 1) {
        const bob = await app.accounts.create({ username: `bob${round}`, password, by: 'admin' })
        const from = (at: number) => signInFrom(`198.51.100.${at}`, bob.username)
        const all = Array.from({ length: 6 }, (_, at) => from(at + 1))
        await all[round]
        await Promise.all([...all, app.accounts.update(bob.id, end)])
        expect(await app.accounts.sessionsOf(bob.id)).toEqual([])
      }
    })

    it('switched off lets only the super admin in, and tells nobody who that is', async () => {
      await app.options.set('PasswordLoginEnabled', 'false')
      for (const name of ['ada', 'root', 'nobody'])
        expect(await signIn(name, 'wrong password')).toMatchObject({ code: 'sign_in.refused' })
      expect(await signIn('ada')).toMatchObject({ code: 'sign_in.password_off' })
      expect((await signIn('root')).success).toBe(true)
    })

    it('stays on while nobody but the super admin could get in without it', async () => {
      isOtherOn = false
      const off = app.options.set('PasswordLoginEnabled', 'false')
      await expect(off).rejects.toMatchObject({ code: 'sign_in.no_way_in' })
      expect((await signIn('ada')).success).toBe(true)
      isOtherOn = true
    })

    it.each(['root', 'nobody'])(
      'judges ten of 60 guesses at "%s" that come at once from one address',
      async (name) => {
        const address = `192.0.2.${name.length}`
        const answers = await Promise.all(
          Array.from({ length: 60 }, () => signInFrom(address, name, 'wrong password')),
        )
        const judged = answers.filter(({ code }) => code === 'sign_in.refused')
        const rest = answers.filter(({ code }) => code === 'guesses.too_many')
        expect([judged.length, rest.length]).toEqual([10, 50])
      },
    )

    it('lets the owner in from another address, whatever others guess', async () => {
      for (let tries = 0; tries < 36; tries += 1)
        await signInFrom(`192.0.2.${100 + (tries % 3)}`, 'root', 'wrong password')
      expect(await signInFrom('192.0.2.100', 'root')).toMatchObject({ code: 'guesses.too_many' })
      expect(await signInFrom('198.51.100.1', 'root')).toMatchObject({ success: true })
    })

    it('counts what is right for nothing', async () => {
      for (let tries = 0; tries < 15; tries += 1)
        expect(await signInFrom('192.0.2.50', 'ada')).toMatchObject({ success: true })
    })
  })

  describe('registration by password', () => {
    it('makes a normal user, signed in nowhere', async () => {
      await app.options.set('QuotaForNewUser', '500')
      const body = {
        username: 'new',
        password,
        password2: password,
        role: 100,
        quota: 9,
        aff_code: null,
      }
      const answer = await register(body)
      expect(answer).toMatchObject({ success: true, message: '' })
      expect(answer.headers['set-cookie']).toBeUndefined()
      expect(await app.accounts.findByLogin('new')).toMatchObject({
        role: 1,
        status: 1,
        quota: 500,
        group: 'default',
        display_name: 'new',
      })
      expect(made).toEqual([])
    })

    it('keep the language that the newcomer reads', async () => {
      for (const [username, header, language] of [
        ['nora', 'zh-CN,zh;q=0.9', 'zh'],
        ['noah', 'en-GB', 'en'],
      ] as const) {
        await app.app.inject({
          method: 'POST',
          url: '/api/user/register',
          headers: { 'accept-language': header },
          payload: { username, password },
        })
        const { id = 0 } = (await app.accounts.findByLogin(username)) ?? {}
        expect(await app.accounts.settingOf(id)).toEqual({ language })
      }
    })

    it.each([
      { change: { password2: 'other' }, code: 'register.passwords_differ' },
      { change: { password: 'short' }, code: 'account.invalid_password' },
      { change: { username: '' }, code: 'account.invalid_username' },
      { change: { username: 'ada' }, code: 'account.username_taken' },
      { change: { username: ['new'] }, code: 'request.invalid_field' },
    ])('answers $code for $change', async ({ change, code }) => {
      expect(await register({ username: 'new', password, ...change })).toMatchObject({
        status: 200,
        success: false,
        code,
      })
    })

    it.each([
      { key: 'RegisterEnabled', code: 'register.off' },
      { key: 'PasswordRegisterEnabled', code: 'register.password_off' },
    ])('is refused while $key is off, before the body is looked at', async ({ key, code }) => {
      await app.options.set(key, 'false')
      expect(await register([])).toMatchObject({ status: 200, code })
    })

    it('is refused until the operator has made the first account', async () => {
      await app.removeAccounts()
      const body = { username: 'root', password, password2: password }
      expect(await register(body)).toMatchObject({ code: 'register.not_set_up' })
      expect(await app.accounts.findByLogin('root')).toBeUndefined()
    })

    it('leaves the mailed code to whoever has to choose another name', async () => {
      await app.options.set('EmailVerificationEnabled', 'true')
      const email = 'kept@example.com'
      await app.accounts.codes.put('v', email, '123456', 600)
      const sent = { password, email, verification_code: '123456' }
      expect(await register({ ...sent, username: 'ada' })).toMatchObject({
        code: 'account.username_taken',
      })
      expect(await register({ ...sent, username: 'new' })).toMatchObject({ success: true })
      expect(await register({ ...sent, username: 'newer' })).toMatchObject({
        code: 'register.code_wrong',
      })
      await app.options.set('EmailVerificationEnabled', 'false')
    })

    it('lets one network guess ten mailed codes for an address, however many are mailed', async () => {
      await app.options.set('EmailVerificationEnabled', 'true')
      const email = 'new@example.com'
      const guess = async (verification_code: string) => {
        await app.accounts.codes.put('v', email, '123456', 600)
        return register({ username: 'new', password, email, verification_code })
      }
      for (let tries = 0; tries < 10; tries += 1)
        expect(await guess('654321')).toMatchObject({ code: 'register.code_wrong' })
      expect(await guess('123456')).toMatchObject({ code: 'guesses.too_many' })
      await app.options.set('EmailVerificationEnabled', 'false')
    })

    it('lets all networks together guess a hundred mailed codes for an address a day', async () => {
      await app.options.set('EmailVerificationEnabled', 'true')
      const email = 'sought@example.com'
      const guess = async (remoteAddress: string, verification_code: string) => {
        await app.accounts.codes.put('v', email, '123456', 600)
        const payload = { username: 'sought', password, email, verification_code }
        const answer = await app.app.inject({
          method: 'POST',
          url: '/api/user/register',
          remoteAddress,
          payload,
        })
        return answer.json<{ code: string }>()
      }
      for (let network = 0; network < 100; network += 1)
        expect(await guess(`192.0.2.${network}`, '654321')).toMatchObject({
          code: 'register.code_wrong',
        })
      expect(await guess('198.51.100.1', '123456')).toMatchObject({ code: 'guesses.too_many' })
      await app.options.set('EmailVerificationEnabled', 'false')
    })

    it.each([
      { email: 'new@elsewhere.org', code: 'account.email_domain' },
      { email: 'n.e.w@example.com', code: 'account.email_alias' },
      { email: 'new+1@example.com', code: 'account.email_alias' },
      { email: 'new@example', code: 'account.invalid_email' },
      { email: 'a@b@example.com', code: 'account.invalid_email' },
      { email: '<new@example.com>', code: 'account.invalid_email' },
      { email: '<new@example.com', code: 'account.invalid_email' },
      { email: 'new@example.com;b', code: 'account.invalid_email' },
    ])(
      'answers $code for the address $email where addresses are limited',
      async ({ email, code }) => {
        const set = (value: string) =>
          app.options.setMany({
            EmailVerificationEnabled: value,
            EmailDomainRestrictionEnabled: value,
            EmailAliasRestrictionEnabled: value,
          })
        await app.options.set('EmailDomainWhitelist', 'example.com, Example.net')
        await set('true')
        await app.accounts.codes.put('v', email, '123456', 600)
        const body = { username: 'new', password, email, verification_code: '123456' }
        expect(await register(body)).toMatchObject({ status: 200, code })
        await set('false')
      },
    )

    it.each([
      'example.com,example.com',
      'example.com,Example.COM',
      'localhost',
      'a b.com',
      '@x.com',
      'x.com,',
    ])('takes no white list like "%s"', async (list) => {
      await expect(app.options.set('EmailDomainWhitelist', list)).rejects.toMatchObject({
        code: 'options.invalid_value',
      })
    })

    it('remembers who invited', async () => {
      const aff_code = await app.accounts.affCode(ada.id)
      await register({ username: 'new', password, aff_code })
      await register({ username: 'other', password, aff_code: 'unknown' })
      expect(await app.accounts.findByLogin('new')).toMatchObject({ inviter_id: ada.id })
      expect(await app.accounts.findByLogin('other')).toMatchObject({ inviter_id: 0 })
      expect(await app.accounts.find(ada.id)).toMatchObject({ aff_count: 1 })
    })

    it('makes one account and pays once when one form is sent many times at once', async () => {
      await app.options.setMany({
        QuotaForNewUser: '0',
        QuotaForInviter: '7',
        QuotaForInvitee: '5',
      })
      const aff_code = await app.accounts.affCode(ada.id)
      const all = await Promise.all(
        Array.from({ length: 8 }, () => register({ username: 'new', password, aff_code })),
      )
      expect(all.filter(({ success }) => success)).toHaveLength(1)
      expect(await app.accounts.find(ada.id)).toMatchObject({ aff_count: 1, aff_quota: 7 })
      expect(await app.accounts.findByLogin('new')).toMatchObject({ quota: 5 })
      await app.options.setMany({ QuotaForInviter: '0', QuotaForInvitee: '0' })
    })

    it('gives a first token where the operator asks for it', async () => {
      isFirstTokenOn = true
      await register({ username: 'new', password })
      expect(made).toMatchObject([{ name: 'new token', unlimited_quota: true }])
    })
  })

  describe('binding an address', () => {
    const bind = async (userId: number, email: string, code: string) =>
      (await app.signedIn(userId)).call('GET', `/api/oauth/email/bind?email=${email}&code=${code}`)
    const mailed = (email: string) => app.accounts.codes.put('v', email, '123456', 600)

    it('takes the code once, and the place of the address before', async () => {
      await mailed('bound@example.com')
      expect(await bind(ada.id, 'Bound@Example.com', '123456')).toMatchObject({ success: true })
      expect(await app.accounts.find(ada.id)).toMatchObject({ email: 'bound@example.com' })
      expect(await bind(ada.id, 'bound@example.com', '123456')).toMatchObject({
        code: 'register.code_wrong',
      })
    })

    it.each([
      { email: '', code: '123456', answer: 'email_bind.incomplete' },
      { email: 'bound@example.com', code: '', answer: 'email_bind.incomplete' },
      { email: 'bound@example.com', code: '654321', answer: 'register.code_wrong' },
      { email: 'other@example.com', code: '123456', answer: 'register.code_wrong' },
      { email: 'no-address', code: '123456', answer: 'account.invalid_email' },
    ])('answers $answer for $email with $code', async ({ email, code, answer }) => {
      await mailed('bound@example.com')
      expect(await bind(ada.id, email, code)).toMatchObject({ status: 200, code: answer })
    })

    it('refuses the address of another account', async () => {
      const bob = await app.accounts.create({ username: 'bob', by: 'admin' })
      await mailed('ada@example.com')
      expect(await bind(bob.id, 'ada@example.com', '123456')).toMatchObject({
        code: 'account.email_taken',
      })
    })

    it('is for signed-in users, and for no link of a mail', async () => {
      const url = '/api/oauth/email/bind?email=bound@example.com&code=123456'
      expect(await app.client().call('GET', url)).toMatchObject({ status: 401 })
      const link = await app.app.inject({ url, headers: { 'sec-fetch-site': 'none' } })
      expect(link.json()).toMatchObject({ code: 'request.foreign_link' })
    })
  })
})
