// Against a certified provider, and against one whose answers are wrong.
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createPluginApp,
  type InjectAnswer,
  type InjectClient,
  type PluginApp,
  scriptedUpstream,
  type ScriptedUpstream,
  sendJson,
} from '#test'
import type { ActionAnswer } from '../../core/kernel/options/option-actions.ts'
import { createHttpClient } from '../../core/net/http-client.ts'
import {
  certifiedOidc,
  type CertifiedOidc,
} from '../../test/harness/counterparts/certified-oidc.ts'
import authOidc from './index.ts'

const http = createHttpClient({ ssrfAllow: [] })
const redirect_uris = ['http://localhost/oauth/oidc']
const clientOf = (client_id: string, method: string) => ({
  client_id,
  client_secret: 'our-secret',
  redirect_uris,
  token_endpoint_auth_method: method,
})

let app: PluginApp
let provider: CertifiedOidc

beforeAll(async () => {
  provider = await certifiedOidc([
    clientOf('ours', 'client_secret_post'),
    clientOf('basic', 'client_secret_basic'),
    clientOf('theirs', 'client_secret_post'),
  ])
  app = await createPluginApp({
    plugins: [authOidc],
    services: { http, fetch: (request, options) => http.json(request, options) },
  })
  await app.accounts.create({ username: 'root', password: 'correct horse', role: 100, by: 'setup' })
})
afterAll(async () => {
  await app.close()
  await http.close()
  await provider.close()
})

async function useProvider(url: string, clientId = 'ours'): Promise<void> {
  await app.options.setMany({
    'oidc.well_known': `${url}/.well-known/openid-configuration`,
    'oidc.client_id': clientId,
    'oidc.client_secret': 'our-secret',
    'oidc.authorization_endpoint': '',
    'oidc.token_endpoint': '',
    'oidc.user_info_endpoint': '',
  })
  await app.options.set('oidc.enabled', 'true')
}

interface Started {
  client: InjectClient
  state: string
  page: string
}

async function start(client = app.client()): Promise<Started> {
  const answer = await client.call<string>('GET', '/api/oauth/state?provider=oidc')
  return {
    client,
    state: answer.data,
    page: (answer as unknown as { authorize_url: string }).authorize_url,
  }
}

/** Does what the callback page does: sends the parameters of its address to the gateway. */
const finish = (client: InjectClient, query: string) =>
  client.call<{ id: number; username: string }>('GET', `/api/oauth/oidc${query}`)

async function signIn(begun?: Started): Promise<InjectAnswer<{ id: number; username: string }>> {
  const { client, page } = begun ?? (await start())
  return finish(client, (await provider.visit(page)).search)
}

describe('signing in by OpenID Connect', () => {
  beforeEach(async () => {
    provider.person = {
      sub: 'person-1',
      preferred_username: 'ada@example.com',
      name: 'Ada Lovelace',
      email: 'Ada@Example.com',
      email_verified: true,
    }
    await useProvider(provider.url)
  })
  afterEach(() => app.removeAccounts())

  it('finds the provider by its well-known address and makes the account', async () => {
    const { data } = await signIn()
    expect(await app.accounts.find(data.id)).toMatchObject({
      oidc_id: 'person-1',
      username: 'ada',
      display_name: 'Ada Lovelace',
      email: 'ada@example.com',
    })
    expect((await signIn()).data.id).toBe(data.id)
  })

  it('serves a client that the provider wants to see by HTTP Basic', async () => {
    await useProvider(provider.url, 'basic')
    expect(await signIn()).toMatchObject({ success: true })
  })

  it('keeps no address that the provider has not verified', async () => {
    provider.person['email_verified'] = false
    const { data } = await signIn()
    expect(await app.accounts.find(data.id)).toMatchObject({ email: '' })
  })

  it('refuses a code twice, and a code in another browser than the one that asked for it', async () => {
    const begun = await start()
    const { search } = await provider.visit(begun.page)
    const thief = await start()
    const stolen = search.replace(begun.state, thief.state)
    expect(await finish(thief.client, stolen)).toMatchObject({ code: 'auth_oidc.refused' })
    expect(await finish(begun.client, search)).toMatchObject({ success: true })
    const again = await start(begun.client)
    expect(await finish(begun.client, search.replace(begun.state, again.state))).toMatchObject({
      code: 'auth_oidc.refused',
    })
  })

  it('refuses a code that was made for another client', async () => {
    const begun = await start()
    const theirs = begun.page.replace('client_id=ours', 'client_id=theirs')
    const { search } = await provider.visit(theirs)
    expect(await finish(begun.client, search)).toMatchObject({ code: 'auth_oidc.refused' })
  })

  it('says what is wrong when the provider cannot be reached', async () => {
    await useProvider('http://127.0.0.1:9')
    const answer = await app.client().call('GET', '/api/oauth/state?provider=oidc')
    expect(answer).toMatchObject({ status: 200, code: 'auth_oidc.undiscovered' })
    expect(answer.message).toContain('Check the network and the well-known URL')
    expect(answer.message).toContain('(The upstream could not be reached (ECONNREFUSED: ')
    const url = '/api/oauth/state?provider=oidc'
    const response = await app.app.inject({ url, headers: { 'accept-language': 'zh-CN' } })
    expect(response.json<{ message: string }>().message).toMatch(
      /^获取 OIDC 配置失败（无法连接上游（ECONNREFUSED：[^A-Za-z.]*）），/,
    )
  })

  it.each(['ftp://host/x', 'javascript:alert(1)', 'host/x', 'https://'])(
    'takes no well-known address like %s',
    async (address) => {
      await expect(
        app.options.setMany({ 'oidc.well_known': address, 'oidc.client_secret': 's' }),
      ).rejects.toMatchObject({ code: 'options.invalid_value' })
    },
  )

  it('asks for the secret anew when the provider changes its host', async () => {
    await expect(
      app.options.set('oidc.well_known', 'https://evil.example.com'),
    ).rejects.toMatchObject({ code: 'options.secret_needed' })
  })

  it('shows what a well-known address names before it is saved, or why it cannot be fetched', async () => {
    const { id } = await app.accounts.create({ username: 'boss', role: 10, by: 'admin' })
    const boss = await app.signedIn(id)
    const check = async (values: Record<string, string>) => {
      const body = { id: 'oidc-discovery', values }
      return (await boss.call<ActionAnswer>('POST', '/api/option/action', body)).data
    }
    await app.options.setMany({ 'oidc.well_known': '', 'oidc.client_secret': '' })
    expect(await check({})).toMatchObject({
      ok: false,
      message: expect.stringContaining('well-known URL, or all three'),
    })
    const { ok, details } = await check({ 'oidc.well_known': provider.url })
    expect(ok).toBe(true)
    expect(details.map(({ value }) => value).slice(0, 2)).toEqual([
      provider.url,
      `${provider.url}/auth`,
    ])
    expect(await check({ 'oidc.well_known': 'http://127.0.0.1:9' })).toMatchObject({
      ok: false,
      message: expect.stringContaining('Check the network'),
    })
    expect(app.options.get('oidc.well_known')).toBe('')
  })

  it('tells older consoles the page of the provider', async () => {
    await signIn()
    const field = app.contributions.statusFields.get('oidc_authorization_endpoint')
    expect(field?.value()).toBe(`${provider.url}/auth`)
  })
})

describe('a provider that lies', () => {
  let liar: ScriptedUpstream
  let claims: JWTPayload
  let info: Record<string, unknown> | undefined
  let sign: (claims: JWTPayload) => Promise<string>
  let honest: (claims: JWTPayload) => Promise<string>
  let forged: (claims: JWTPayload) => Promise<string>

  beforeAll(async () => {
    liar = await scriptedUpstream()
    const [own, other] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')]
    const signer = (key: Parameters<SignJWT['sign']>[0]) => (payload: JWTPayload) =>
      new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'own' }).sign(key)
    honest = signer(own.privateKey)
    forged = signer(other.privateKey)
    const jwk = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' }
    liar.behave(async (response, { path }) => {
      if (path.includes('well-known')) return sendJson(response, metadata())
      if (path === '/jwks') return sendJson(response, { keys: [jwk] })
      if (path === '/userinfo') return sendJson(response, info)
      const id_token = await sign(claims)
      sendJson(response, { access_token: 'at', token_type: 'bearer', id_token })
    })
    await useProvider(liar.url)
  })
  afterAll(() => liar.close())
  afterEach(() => app.removeAccounts())

  const metadata = () => ({
    issuer: liar.url,
    authorization_endpoint: `${liar.url}/auth`,
    token_endpoint: `${liar.url}/token`,
    jwks_uri: `${liar.url}/jwks`,
    userinfo_endpoint: `${liar.url}/userinfo`,
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    id_token_signing_alg_values_supported: ['RS256'],
  })

  async function tryWith(change: JWTPayload, how: { sign?: typeof sign; info?: object } = {}) {
    const { client, state, page } = await start()
    const now = Math.floor(Date.now() / 1000)
    const nonce = new URL(page).searchParams.get('nonce') ?? ''
    claims = { iss: liar.url, aud: 'ours', sub: 'p', iat: now, exp: now + 60, nonce, ...change }
    info = { sub: 'p', ...how.info }
    sign = how.sign ?? honest
    return finish(client, `?code=x&state=${state}`)
  }

  it('is believed when it tells the truth', async () => {
    expect(await tryWith({})).toMatchObject({ success: true })
  })

  it.each([
    { lie: 'the issuer', change: { iss: 'https://elsewhere.example.com' } },
    { lie: 'the audience', change: { aud: 'theirs' } },
    { lie: 'the nonce', change: { nonce: 'of another sign-in' } },
    { lie: 'the end', change: { exp: 1_700_000_000 } },
    { lie: 'the party', change: { aud: ['ours', 'theirs'], azp: 'theirs' } },
  ])('is not believed with a token that has $lie wrong', async ({ change }) => {
    expect(await tryWith(change)).toMatchObject({ status: 200, code: 'auth_oidc.refused' })
  })

  it('is not believed with a signature of a key that is not its own, or with none', async () => {
    const unsigned = (payload: JWTPayload) => {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      return Promise.resolve(`${part({ alg: 'none' })}.${part(payload)}.`)
    }
    for (const how of [forged, unsigned])
      expect(await tryWith({}, { sign: how })).toMatchObject({ code: 'auth_oidc.refused' })
  })

  it('is not believed when its user endpoint speaks of somebody else', async () => {
    expect(await tryWith({}, { info: { sub: 'victim' } })).toMatchObject({
      code: 'auth_oidc.refused',
    })
  })

  it('cannot call an address verified that stands elsewhere', async () => {
    const { data } = await tryWith(
      { email: 'a@example.com', email_verified: true },
      { info: { email: 'victim@example.com' } },
    )
    expect(await app.accounts.find(data.id)).toMatchObject({ email: '' })
  })

  it('serves without a well-known address by its endpoints alone', async () => {
    await app.options.setMany({
      'oidc.well_known': '',
      'oidc.client_secret': 'our-secret',
      'oidc.authorization_endpoint': `${liar.url}/auth`,
      'oidc.token_endpoint': `${liar.url}/token`,
      'oidc.user_info_endpoint': `${liar.url}/userinfo`,
    })
    expect(await tryWith({})).toMatchObject({ success: true })
    await app.options.set('oidc.user_info_endpoint', '')
    const answer = await app.client().call('GET', '/api/oauth/state?provider=oidc')
    expect(answer).toMatchObject({ code: 'auth_oidc.incomplete' })
  })
})
