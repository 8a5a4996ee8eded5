import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { UserRecord } from '#core'
import { createPluginApp, type InjectClient, type PluginApp } from '#test'
import personal from './index.ts'

const password = 'correct horse'

let app: PluginApp
let id: number
let rootId: number
let ada: InjectClient
let elsewhere: InjectClient

beforeAll(async () => {
  const channels = { modelsOfGroups: async (groups: string[]) => groups.map((name) => `m-${name}`) }
  app = await createPluginApp({
    plugins: [personal],
    services: { channels: channels as never },
  })
})
afterAll(() => app.close())

beforeEach(async () => {
  const root = await app.accounts.create({ username: 'root', role: 100, by: 'setup' })
  rootId = root.id
  ;({ id } = await app.accounts.create({ username: 'ada', password, by: 'admin' }))
  ada = await app.signedIn(id)
  elsewhere = await app.signedIn(id)
})
afterEach(() => app.removeAccounts())

const self = async () => (await ada.call<UserRecord>('GET', '/api/user/self')).data
const put = (body: object) => ada.call('PUT', '/api/user/self', body)
const save = (body: object) => ada.call('PUT', '/api/user/setting', body)

describe('the own account', () => {
  it('is shown without password and access token', async () => {
    await ada.call('GET', '/api/user/token')
    expect(await self()).toMatchObject({ id, password: '', access_token: null, DeletedAt: null })
  })

  it('changes its names and nothing that is not its own to change', async () => {
    const record = {
      ...(await self()),
      username: 'ada2',
      display_name: 'Ada',
      role: 100,
      quota: 9,
      group: 'vip',
    }
    expect((await put(record)).success).toBe(true)
    expect(await self()).toMatchObject({
      username: 'ada2',
      display_name: 'Ada',
      role: 1,
      quota: 0,
      group: 'default',
    })
  })

  it.each([
    { body: { password: 'new password' }, code: 'personal.original_password_missing' },
    { body: { password, original_password: password }, code: 'personal.same_password' },
    {
      body: { password: 'new password', original_password: 'wrong' },
      code: 'personal.original_password_wrong',
    },
    { body: { password: 'short', original_password: password }, code: 'account.invalid_password' },
    { body: { username: 'root' }, code: 'account.username_taken' },
    { body: { username: 7 }, code: 'request.invalid_field' },
  ])('answers $code for $body', async ({ body, code }) => {
    expect(await put(body)).toMatchObject({ status: 200, success: false, code })
    expect(await app.accounts.checkPassword(id, password)).toBe(true)
  })

  it('changes its password and keeps this session alone', async () => {
    const body = { password: 'new password', original_password: password, username: '' }
    expect((await put(body)).success).toBe(true)
    expect((await self()).username).toBe('ada')
    expect((await elsewhere.call('GET', '/api/user/self')).status).toBe(401)
    expect(await app.accounts.checkPassword(id, 'new password')).toBe(true)
  })

  it('may set a first password without an original one', async () => {
    await app.database.run("UPDATE users SET password = '' WHERE id = :id", { id })
    expect((await put({ password: 'new password' })).success).toBe(true)
  })

  it('is deregistered with its sessions, but not when it is the super admin', async () => {
    const root = await app.signedIn(rootId)
    expect(await root.call('DELETE', '/api/user/self')).toMatchObject({
      code: 'personal.super_stays',
    })
    expect((await ada.call('DELETE', '/api/user/self')).success).toBe(true)
    for (const client of [ada, elsewhere]) {
      expect((await client.call('GET', '/api/user/self')).status).toBe(401)
    }
  })

  it('is left by signing out, signed in or not', async () => {
    expect(await ada.call('GET', '/api/user/logout')).toMatchObject({ success: true, message: '' })
    expect((await ada.call('GET', '/api/user/self')).status).toBe(401)
    expect((await elsewhere.call('GET', '/api/user/self')).status).toBe(200)
    expect((await app.client().call('GET', '/api/user/logout')).success).toBe(true)
  })
})

describe('the system access token', () => {
  it('is made anew, and the one before stops working', async () => {
    const make = async () => (await ada.call<string>('GET', '/api/user/token')).data
    const first = await make()
    expect(first).toMatch(/^[0-9A-Za-z]{32}$/)
    const script = app.client().useToken(id, first)
    expect((await script.call('GET', '/api/user/self')).success).toBe(true)
    await make()
    expect((await script.call('GET', '/api/user/self')).status).toBe(401)
  })

  it.each([
    {
      what: 'a password of the own choice',
      change: () => put({ password: 'new password', original_password: password }),
    },
    {
      what: 'a password set by an admin',
      change: () => app.accounts.update(id, { password: 'new password' }),
    },
    {
      what: 'a ban, also one that was lifted',
      change: async () => {
        await app.accounts.update(id, { status: 2 })
        await app.accounts.update(id, { status: 1 })
      },
    },
  ])('ends with $what', async ({ change }) => {
    const { data } = await ada.call<string>('GET', '/api/user/token')
    const script = app.client().useToken(id, data)
    expect((await script.call('GET', '/api/user/self')).success).toBe(true)
    await change()
    expect((await script.call('GET', '/api/user/self')).status).toBe(401)
  })

  it('is made by whoever has shown lately who he is, and by no token', async () => {
    const { data } = await ada.call<string>('GET', '/api/user/token')
    const script = app.client().useToken(id, data)
    const old = await app.signedIn(id, { isFresh: false })
    for (const client of [script, old])
      expect(await client.call('GET', '/api/user/token')).toMatchObject({
        code: 'auth.proof_needed',
      })
    expect((await script.call('GET', '/api/user/self')).success).toBe(true)
  })

  it('outlives other changes of the account', async () => {
    const { data } = await ada.call<string>('GET', '/api/user/token')
    await put({ display_name: 'Ada L.' })
    const script = app.client().useToken(id, data)
    expect((await script.call('GET', '/api/user/self')).success).toBe(true)
  })

  it('may have an end, which lies in the future', async () => {
    const make = (end: number | string) =>
      ada.call<string>('GET', `/api/user/token?expired_time=${end}`)
    const nowSeconds = Math.floor(Date.now() / 1000)
    for (const end of [nowSeconds - 1, 0])
      expect(await make(end)).toMatchObject({ success: false, code: 'personal.token_end_past' })
    for (const end of ['soon', -2])
      expect(await make(end)).toMatchObject({ success: false, code: 'request.invalid_field' })
    for (const end of [nowSeconds + 3600, -1]) {
      const script = app.client().useToken(id, (await make(end)).data)
      expect((await script.call('GET', '/api/user/self')).success).toBe(true)
    }
  })
})

describe('the own settings', () => {
  it('keep what two pages save at once', async () => {
    const bodies = [
      { notification_email: 'ada@example.com' },
      { quota_warning_threshold: 7 },
      { webhook_url: 'https://a.test', webhook_secret: 'whsec' },
      { accept_unset_model_ratio_model: true },
    ]
    const answers = await Promise.all([
      ...bodies.map((body, at) =>
        (at % 2 ? ada : elsewhere).call('PUT', '/api/user/setting', body),
      ),
      put({ language: 'zh-CN' }),
    ])
    expect(answers.map(({ success }) => success)).toEqual(answers.map(() => true))
    const saved = Object.assign({ language: 'zh' }, ...bodies)
    expect(JSON.parse((await self()).setting)).toEqual(saved)
  })

  const webhook = {
    notify_type: 'webhook',
    webhook_url: 'https://example.com/hook',
    webhook_secret: 'whsec',
  }

  it('name the language of mails, which any console may tell with its region', async () => {
    await save(webhook)
    const setLanguage = (language: unknown) => ada.call('PUT', '/api/user/self', { language })
    for (const [tag, language] of [
      ['zh-TW', 'zh'],
      ['en', 'en'],
      ['zh', 'zh'],
      ['fr', 'en'],
    ]) {
      expect(await setLanguage(tag)).toMatchObject({ success: true })
      expect(JSON.parse((await self()).setting)).toEqual({ ...webhook, language })
    }
    for (const wrong of [5, 'x'.repeat(36), 'zh\0'])
      expect(await setLanguage(wrong)).toMatchObject({ success: false })
    await save({ notify_type: 'email' })
    expect(JSON.parse((await self()).setting)).toMatchObject({ language: 'en' })
  })

  it('come back with the secret to the owner', async () => {
    const sent = {
      ...webhook,
      quota_warning_threshold: 100_000,
      accept_unset_model_ratio_model: true,
    }
    expect(await save(sent)).toMatchObject({ success: true, message: expect.stringMatching(/.+/) })
    expect(JSON.parse((await self()).setting)).toEqual(sent)
  })

  it('keep the fields of the other type when only the type changes', async () => {
    await save(webhook)
    await save({ notify_type: 'email', notification_email: 'ada@example.com' })
    expect(JSON.parse((await self()).setting)).toEqual({
      ...webhook,
      notify_type: 'email',
      notification_email: 'ada@example.com',
    })
  })

  it.each([
    { body: { notify_type: 'pigeon' }, code: 'personal.notify_type' },
    { body: { quota_warning_threshold: 0 }, code: 'personal.quota_warning_threshold' },
    { body: { quota_warning_threshold: '5' }, code: 'request.invalid_field' },
    { body: { notify_type: 'webhook' }, code: 'personal.webhook_missing' },
    { body: { ...webhook, webhook_url: 'http://example.com' }, code: 'personal.webhook_not_https' },
    {
      body: { ...webhook, webhook_url: 'javascript:alert(1)' },
      code: 'personal.webhook_not_https',
    },
    { body: { notification_email: 'nobody' }, code: 'personal.notification_email' },
    { body: { notification_email: 'a@b\r\nBcc: c@d' }, code: 'personal.notification_email' },
  ])('answer $code for $body', async ({ body, code }) => {
    expect(await save(body)).toMatchObject({ status: 200, success: false, code })
    expect((await self()).setting).toBe('')
  })

  it('say how large a threshold may be', async () => {
    expect((await save({ quota_warning_threshold: 1e40 })).message).toBe(
      'The warning threshold must be above 0 and at most 9007199254740991.',
    )
  })
})

describe('invitations', () => {
  it('have one code', async () => {
    const code = async () => (await ada.call<string>('GET', '/api/user/aff')).data
    expect(await code()).toMatch(/^[0-9A-Za-z]{6}$/)
    expect(await code()).toBe(await code())
    const root = await app.signedIn(rootId)
    expect((await root.call<string>('GET', '/api/user/aff')).data).toHaveLength(6)
  })

  it('pay into the balance from one unit upwards', async () => {
    await app.database.run(
      'UPDATE users SET aff_quota = 600000, aff_history_quota = 600000 WHERE id = :id',
      { id },
    )
    const move = (quota: unknown) => ada.call('POST', '/api/user/aff_transfer', { quota })
    expect(await move(499_999)).toMatchObject({
      success: false,
      message: 'The transfer amount minimum is $1.',
    })
    expect(await move(600_001)).toMatchObject({ code: 'account.aff_quota_insufficient' })
    expect(await move(-600_000)).toMatchObject({ success: false })
    expect(await move(1e300)).toMatchObject({ success: false })
    expect((await move(500_000)).success).toBe(true)
    expect(await self()).toMatchObject({
      quota: 500_000,
      aff_quota: 100_000,
      aff_history_quota: 600_000,
    })
    expect(await app.ledger.verify()).toMatchObject({ faults: [] })
  })
})

describe('what is offered', () => {
  it('shows the usable groups to visitors and users', async () => {
    const visitor = await app.client().call<object>('GET', '/api/user/groups')
    expect(visitor.data).toMatchObject({ default: { ratio: 1, desc: expect.any(String) } })
    await app.accounts.update(id, { group: 'svip' })
    const own = await ada.call<object>('GET', '/api/user/self/groups')
    expect(Object.keys(own.data)).toContain('svip')
  })

  it('lists automatic mode for tokens once it is offered, with a word for its ratio', async () => {
    const own = async () => (await ada.call<object>('GET', '/api/user/self/groups')).data
    expect(Object.keys(await own())).not.toContain('auto')
    await app.options.set('UserUsableGroups', '{"default":"All","auto":"Automatic"}')
    expect(await own()).toMatchObject({ auto: { ratio: 'auto', desc: 'Automatic' } })
    const visitor = await app.client().call<object>('GET', '/api/user/groups')
    expect(Object.keys(visitor.data)).not.toContain('auto')
  })

  it('lists the models of all usable groups that have a price, or may be called without one', async () => {
    const models = async () => (await ada.call<string[]>('GET', '/api/user/models')).data
    expect(await models()).not.toContain('m-default')
    const setting = { accept_unset_model_ratio_model: true }
    await ada.call('PUT', '/api/user/setting', setting)
    expect(await models()).toContain('m-default')
    await ada.call('PUT', '/api/user/setting', { accept_unset_model_ratio_model: false })
    await app.options.set('ModelPrice', '{"m-default":0.1}')
    expect(await models()).toContain('m-default')
  })

  it('lists the models of one group, or of those of automatic mode', async () => {
    const models = async (group: string) =>
      (await ada.call<string[]>('GET', `/api/user/models?group=${group}`)).data
    expect(await models('default')).toContain('m-default')
    expect(await models('svip')).toEqual([])
    expect(await models('unknown')).toEqual([])
    await app.options.set('AutoGroups', '["default"]')
    expect(await models('auto')).toContain('m-default')
  })
})
