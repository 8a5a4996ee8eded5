// Against a stand-in written from the documents of Linux DO Connect: client credentials by HTTP Basic, and the
// forum's user fields.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createPluginApp,
  type PluginApp,
  scriptedUpstream,
  type ScriptedUpstream,
  sendJson,
} from '#test'
import { createHttpClient } from '../../core/net/http-client.ts'
import authLinuxdo from './index.ts'

const http = createHttpClient({ ssrfAllow: [] })
const right = `Basic ${Buffer.from('our-client:our-secret').toString('base64')}`
let forum: ScriptedUpstream
let app: PluginApp
let user: Record<string, unknown>

beforeAll(async () => {
  forum = await scriptedUpstream()
  forum.behave((response, { path, headers, sent }) => {
    const form = new URLSearchParams(sent)
    if (path === '/api/user') {
      if (headers['authorization'] === 'Bearer at') return sendJson(response, user)
      return sendJson(response, {}, 401)
    }
    const isRight =
      headers['authorization'] === right &&
      form.get('grant_type') === 'authorization_code' &&
      form.get('redirect_uri') === 'http://localhost/oauth/linuxdo' &&
      form.get('code') === 'good'
    sendJson(
      response,
      isRight ? { access_token: 'at' } : { message: 'invalid code' },
      isRight ? 200 : 400,
    )
  })
  app = await createPluginApp({
    plugins: [authLinuxdo],
    environment: { read: (name) => (name === 'LINUX_DO_URL' ? forum.url : undefined) },
    services: { fetch: (request, options) => http.json(request, options) },
  })
})
afterAll(async () => {
  await app.close()
  await http.close()
  await forum.close()
})
beforeEach(async () => {
  user = { id: 42, username: 'neo', name: 'Neo', active: true, trust_level: 2, silenced: false }
  await app.options.setMany({
    LinuxDOClientId: 'our-client',
    LinuxDOClientSecret: 'our-secret',
    LinuxDOMinimumTrustLevel: '0',
  })
  await app.options.set('LinuxDOOAuthEnabled', 'true')
})
afterEach(() => app.removeAccounts())

async function signIn(code = 'good') {
  const client = app.client()
  const { data: state } = await client.call<string>('GET', '/api/oauth/state?provider=linuxdo')
  return client.call<{ id: number }>('GET', `/api/oauth/linuxdo?code=${code}&state=${state}`)
}

describe('signing in with Linux DO', () => {
  it('knows the person by the number', async () => {
    const { data } = await signIn()
    expect(await app.accounts.find(data.id)).toMatchObject({
      linux_do_id: '42',
      display_name: 'Neo',
      username: expect.stringMatching(/^linuxdo_\d+$/),
      email: '',
    })
  })

  it.each([
    { change: { trust_level: 1 }, code: 'auth_linuxdo.trust_too_low' },
    { change: { trust_level: undefined }, code: 'auth_linuxdo.trust_too_low' },
    { change: { active: false }, code: 'auth_linuxdo.not_active' },
    { change: { silenced: true }, code: 'auth_linuxdo.not_active' },
  ])('makes no account for $change, and keeps those who have one', async ({ change, code }) => {
    await app.options.set('LinuxDOMinimumTrustLevel', '2')
    const kept = { ...user }
    Object.assign(user, change)
    expect(await signIn()).toMatchObject({ success: false, code })
    user = { ...kept }
    expect(await signIn()).toMatchObject({ success: true })
    Object.assign(user, change)
    expect(await signIn()).toMatchObject({ success: true })
  })

  it.each([{ id: 0 }, { id: 'x' }, { id: undefined }])(
    'refuses %j for a number',
    async (change) => {
      Object.assign(user, change)
      expect(await signIn()).toMatchObject({ code: 'auth_linuxdo.unreadable' })
    },
  )

  it('refuses a wrong code and the wrong secret', async () => {
    expect(await signIn('bad')).toMatchObject({ code: 'sign_in.code_refused' })
    await app.options.set('LinuxDOClientSecret', 'wrong')
    expect(await signIn()).toMatchObject({ code: 'sign_in.code_refused' })
  })

  it.each(['-1', '5', '1.5', 'x'])('takes no trust level of %s', async (value) => {
    await expect(app.options.set('LinuxDOMinimumTrustLevel', value)).rejects.toMatchObject({
      code: 'options.invalid_value',
    })
  })
})
