// Against a stand-in written from Cloudflare's page "Validate the token", with its public test secrets.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { definePlugin, envelope } from '#core'
import {
  createPluginApp,
  type PluginApp,
  scriptedUpstream,
  type ScriptedUpstream,
  sendJson,
} from '#test'
import type { ActionAnswer } from '../../core/kernel/options/option-actions.ts'
import { createHttpClient } from '../../core/net/http-client.ts'
import turnstile from './index.ts'

const http = createHttpClient({ ssrfAllow: [] })
const passes = '1x0000000000000000000000000000000AA'
const fails = '2x0000000000000000000000000000000AA'
const spent = '3x0000000000000000000000000000000AA'

/** A route that is guarded as sign-in is. */
const guarded = definePlugin({
  id: 'guarded',
  server: ({ routes }) =>
    routes.add((app) => {
      app.get('/api/guarded', { config: { access: 'public', botCheck: true } }, () => envelope())
    }),
})

let cloudflare: ScriptedUpstream
let app: PluginApp
const used = new Set<string>()

beforeAll(async () => {
  cloudflare = await scriptedUpstream()
  app = await createPluginApp({
    plugins: [turnstile, guarded],
    environment: {
      read: (name) => (name === 'TURNSTILE_VERIFY_URL' ? cloudflare.url : undefined),
    },
    services: { fetch: (request, options) => http.json(request, options) },
  })
})
afterAll(async () => {
  await app.close()
  await http.close()
  await cloudflare.close()
})
beforeEach(async () => {
  used.clear()
  cloudflare.calls.length = 0
  cloudflare.behave((response, { sent }) => sendJson(response, answerTo(new URLSearchParams(sent))))
  await app.options.setMany({ TurnstileSiteKey: 'site', TurnstileSecretKey: passes })
  await app.options.set('TurnstileCheckEnabled', 'true')
})
afterEach(() => app.removeAccounts())

function answerTo(form: URLSearchParams): object {
  const [secret, token] = [form.get('secret') ?? '', form.get('response') ?? '']
  const no = (code: string) => ({ success: false, 'error-codes': [code] })
  if (secret === fails) return no('invalid-input-response')
  if (secret === spent || used.has(token)) return no('timeout-or-duplicate')
  if (secret !== passes) return no('invalid-input-secret')
  used.add(token)
  return { success: true, 'error-codes': [], hostname: 'example.com' }
}

const ask = (token?: string, client = app.client()) =>
  client.call('GET', `/api/guarded${token === undefined ? '' : `?turnstile=${token}`}`)

describe('the bot check', () => {
  it('lets through whoever passed it, for a while in the same session', async () => {
    const client = app.client()
    expect(await ask('t', client)).toMatchObject({ success: true })
    expect(await ask(undefined, client)).toMatchObject({ success: true })
    expect(cloudflare.calls).toHaveLength(1)
    expect(new URLSearchParams(cloudflare.calls[0]?.sent).get('remoteip')).toBe('127.0.0.1')
    expect(await ask()).toMatchObject({ code: 'bot_check.token_missing' })
    expect(await ask('t')).toMatchObject({ code: 'bot_check.refused' })
  })

  it.each([
    { secret: fails, code: 'bot_check.refused' },
    { secret: spent, code: 'bot_check.refused' },
    { secret: 'wrong', code: 'bot_check.misconfigured' },
  ])('answers $code with 200 for the secret $secret', async ({ secret, code }) => {
    await app.options.set('TurnstileSecretKey', secret)
    expect(await ask('t')).toMatchObject({ status: 200, success: false, code })
  })

  it('lets nobody through when the service says nothing that can be read, or nothing', async () => {
    for (const body of ['{}', '<html>', '[]']) {
      cloudflare.behave((response) => void response.end(body))
      expect(await ask('t')).toMatchObject({ status: 200, code: 'bot_check.unreachable' })
    }
    cloudflare.behave((response) => void response.destroy())
    expect(await ask('t')).toMatchObject({ code: 'bot_check.unreachable' })
  })

  it('asks nobody about a token that is too long', async () => {
    expect(await ask('x'.repeat(2049))).toMatchObject({ success: false })
    expect(cloudflare.calls).toEqual([])
  })

  it('is not switched on without both keys', async () => {
    await app.options.set('TurnstileCheckEnabled', 'false')
    await app.options.set('TurnstileSecretKey', '')
    await expect(app.options.set('TurnstileCheckEnabled', 'true')).rejects.toMatchObject({
      code: 'options.precondition',
    })
  })

  it('proves keys before they count, for admins only', async () => {
    const admin = await app.accounts.create({ username: 'boss', role: 10, by: 'admin' })
    const user = await app.accounts.create({ username: 'user', by: 'admin' })
    const prove = async (id: number, body: object) =>
      (await app.signedIn(id)).call('POST', '/api/turnstile/check', body)
    expect(await prove(admin.id, { token: 'a' })).toMatchObject({ success: true })
    expect(await prove(admin.id, { token: 'b', secret: 'wrong' })).toMatchObject({
      code: 'bot_check.misconfigured',
    })
    expect(await prove(admin.id, { token: '' })).toMatchObject({ code: 'request.invalid_field' })
    expect(await prove(admin.id, { token: ['a'] })).toMatchObject({ code: 'request.invalid_field' })
    expect(await prove(user.id, { token: 'c' })).toMatchObject({ code: 'access.role_too_low' })
  })

  it('tells whether the service knows a secret key before it is saved', async () => {
    const { id } = await app.accounts.create({ username: 'boss', role: 10, by: 'admin' })
    const boss = await app.signedIn(id)
    const check = async (TurnstileSecretKey?: string) => {
      const values = TurnstileSecretKey === undefined ? {} : { TurnstileSecretKey }
      const body = { id: 'turnstile-secret', values }
      return (await boss.call<ActionAnswer>('POST', '/api/option/action', body)).data
    }
    expect(await check()).toMatchObject({ ok: true })
    expect(await check(fails)).toMatchObject({ ok: true })
    expect(await check('wrong-key')).toMatchObject({
      ok: false,
      message: expect.stringContaining('wrong secret key'),
    })
    expect(await check('')).toMatchObject({ ok: false, message: 'Enter the secret key first.' })
  })

  it('keeps the secret and shows the site key', () => {
    const keys = app.options.list().map(({ key }) => key)
    expect(keys).toContain('TurnstileSiteKey')
    expect(keys).not.toContain('TurnstileSecretKey')
  })
})
