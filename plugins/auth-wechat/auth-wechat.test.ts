// Against a stand-in written from the public WeChat server project: the raw token in Authorization, and codes that
// stay valid.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createPluginApp,
  type PluginApp,
  scriptedUpstream,
  type ScriptedUpstream,
  sendJson,
} from '#test'
import { createHttpClient } from '../../core/net/http-client.ts'
import authPassword from '../auth-password/index.ts'
import authWechat from './index.ts'

const http = createHttpClient({ ssrfAllow: [] })
const people = new Map<string, string>()
let server: ScriptedUpstream
let app: PluginApp
let next = 100_000

beforeAll(async () => {
  server = await scriptedUpstream()
  server.behave((response, { path, headers }) => {
    const { pathname, searchParams } = new URL(path, 'http://host')
    if (pathname !== '/api/wechat/user') return sendJson(response, {}, 404)
    if (headers['authorization'] !== 'server-token')
      return sendJson(response, { success: false, message: '无权' })
    const data = people.get(searchParams.get('code') ?? '') ?? ''
    sendJson(response, { success: true, message: '', data })
  })
  app = await createPluginApp({
    plugins: [authPassword, authWechat],
    services: { fetch: (request, options) => http.json(request, options) },
  })
})
afterAll(async () => {
  await app.close()
  await http.close()
  await server.close()
})
beforeEach(async () => {
  await app.options.setMany({
    WeChatServerAddress: `${server.url}/`,
    WeChatServerToken: 'server-token',
  })
  await app.options.set('WeChatAuthEnabled', 'true')
})
afterEach(() => app.removeAccounts())

/** The code that a user receives from the public account. */
function codeFor(person: string): string {
  next += 1
  people.set(String(next), person)
  return String(next)
}
const signIn = (code: string, client = app.client()) =>
  client.call<{ id: number }>('GET', `/api/oauth/wechat?code=${encodeURIComponent(code)}`)

describe('signing in with WeChat', () => {
  it('makes the account and knows it again by another code', async () => {
    const { data } = await signIn(codeFor('o_ada'))
    expect(await app.accounts.find(data.id)).toMatchObject({
      wechat_id: 'o_ada',
      username: expect.stringMatching(/^wechat_\d+$/),
      display_name: 'WeChat User',
    })
    expect((await signIn(codeFor('o_ada'))).data.id).toBe(data.id)
  })

  it('takes a code once', async () => {
    const code = codeFor('o_ada')
    const both = await Promise.all([signIn(code), signIn(code)])
    expect(both.filter(({ success }) => success)).toHaveLength(1)
  })

  it.each([
    { sent: '', code: 'auth_wechat.code_missing' },
    { sent: '000000', code: 'auth_wechat.code_wrong' },
    { sent: '1&code=2#', code: 'auth_wechat.code_wrong' },
    { sent: '9'.repeat(40), code: 'auth_wechat.code_wrong' },
  ])('answers $code for "$sent"', async ({ sent, code }) => {
    expect(await signIn(sent)).toMatchObject({ status: 200, success: false, code })
  })

  it('knows nobody by the codes of another server', async () => {
    await signIn(codeFor('o_ada'))
    const other = await scriptedUpstream()
    other.behave((response) => sendJson(response, { success: true, message: '', data: 'o_ada' }))
    await app.options.setMany({ WeChatServerAddress: other.url, WeChatServerToken: 'other' })
    expect(await signIn('424242')).toMatchObject({ code: 'sign_in.issuer_changed' })
    await other.close()
  })

  it('lets one network guess ten codes', async () => {
    const guess = async () => {
      const url = '/api/oauth/wechat?code=111111'
      const answer = await app.app.inject({ url, remoteAddress: '192.0.2.7' })
      return answer.json<{ code?: string }>().code
    }
    const codes: unknown[] = []
    for (let tries = 0; tries < 12; tries += 1) codes.push(await guess())
    expect(codes.slice(0, 10)).toEqual(Array(10).fill('auth_wechat.code_wrong'))
    expect(codes.slice(10)).toEqual(['guesses.too_many', 'guesses.too_many'])
  })

  it('binds to the account that is signed in, and to no second one', async () => {
    const ada = await app.accounts.create({ username: 'ada', by: 'admin' })
    const bob = await app.accounts.create({ username: 'bob', by: 'admin' })
    const bind = async (id: number) =>
      (await app.signedIn(id)).call('GET', `/api/oauth/wechat/bind?code=${codeFor('o_ada')}`)
    expect(await bind(ada.id)).toMatchObject({ success: true, message: '' })
    expect(await bind(bob.id)).toMatchObject({ code: 'account.identity_taken' })
    expect(await app.client().call('GET', '/api/oauth/wechat/bind?code=1')).toMatchObject({
      status: 401,
    })
  })

  it('is not switched on without a server, and asks for the token anew when that changes', async () => {
    const set = (key: string, value: string) => app.options.set(key, value)
    await expect(set('WeChatServerAddress', 'https://evil.example.com')).rejects.toMatchObject({
      code: 'options.secret_needed',
    })
    await set('WeChatAuthEnabled', 'false')
    await app.options.setMany({ WeChatServerAddress: '', WeChatServerToken: '' })
    await expect(set('WeChatAuthEnabled', 'true')).rejects.toMatchObject({
      code: 'options.precondition',
    })
  })
})
