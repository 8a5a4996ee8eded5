// The well-known address is changed to another certified provider: an equal `sub` there is another person.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createPluginApp, type PluginApp } from '#test'
import { createHttpClient } from '../../core/net/http-client.ts'
import {
  certifiedOidc,
  type CertifiedOidc,
} from '../../test/harness/counterparts/certified-oidc.ts'
import authOidc from './index.ts'

const http = createHttpClient({ ssrfAllow: [] })
const client = {
  client_id: 'ours',
  client_secret: 'our-secret',
  redirect_uris: ['http://localhost/oauth/oidc'],
  token_endpoint_auth_method: 'client_secret_post',
}
let app: PluginApp
let providers: [CertifiedOidc, CertifiedOidc]
let rootId = 0

beforeAll(async () => {
  providers = await Promise.all([certifiedOidc([client]), certifiedOidc([client])])
  app = await createPluginApp({
    plugins: [authOidc],
    services: { http, fetch: (request, options) => http.json(request, options) },
  })
})
afterAll(async () => {
  await app.close()
  await http.close()
  for (const provider of providers) await provider.close()
})
afterEach(() => app.removeAccounts())

const nameProvider = async ({ url }: { url: string }) => {
  await app.options.setMany({
    'oidc.well_known': `${url}/.well-known/openid-configuration`,
    'oidc.client_id': 'ours',
    'oidc.client_secret': 'our-secret',
  })
  await app.options.set('oidc.enabled', 'true')
}

async function signIn(provider: CertifiedOidc, sub: string) {
  provider.person = { sub }
  const browser = app.client()
  const started = await browser.call('GET', '/api/oauth/state?provider=oidc')
  const { authorize_url: page } = started as unknown as { authorize_url: string }
  const { search } = await provider.visit(page)
  return browser.call<{ id: number }>('GET', `/api/oauth/oidc${search}`)
}

/** Serves the metadata of the provider at another address. */
async function behindAnotherAddress(origin: string) {
  const server = createServer((request, response) => {
    void fetch(`${origin}${request.url ?? ''}`)
      .then((answer) => answer.text())
      .then((text) => response.setHeader('content-type', 'application/json').end(text))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The issuer, as our client has it. */
const byUs = (address: string) => `${address} (client ours)`

async function decide(action: string, from: string, to: string) {
  const { id } = await app.accounts.create({
    username: `root${(rootId += 1)}`,
    role: 100,
    by: 'setup',
  })
  const root = await app.signedIn(id)
  const body = { provider: 'oidc', from: byUs(from), to: byUs(to), action }
  return root.call('POST', '/api/oauth/issuers', body)
}

describe('another OpenID Connect provider than before', () => {
  it('lets nobody into the account of an equal subject, by whatever it is decided', async () => {
    const [first, second] = providers
    await nameProvider(first)
    const victim = await signIn(first, 'same')
    await nameProvider(second)
    expect(await signIn(second, 'same')).toMatchObject({ code: 'sign_in.issuer_changed' })
    expect(await signIn(second, 'newcomer')).toMatchObject({ code: 'sign_in.issuer_changed' })
    expect(await decide('forget', first.url, second.url)).toMatchObject({ success: true })
    const stranger = await signIn(second, 'same')
    expect(stranger.data.id).not.toBe(victim.data.id)
    expect(await app.accounts.find(victim.data.id)).toMatchObject({ oidc_id: '' })
  })

  it('knows everybody again when the one before comes back', async () => {
    const [first, second] = providers
    await nameProvider(first)
    const mine = await signIn(first, 'same')
    await nameProvider(second)
    await nameProvider({ url: first.url })
    expect((await signIn(first, 'same')).data.id).toBe(mine.data.id)
  })

  it('has its people known anew where the super admin says that they are the same', async () => {
    const [first, second] = providers
    await nameProvider(first)
    const mine = await signIn(first, 'same')
    await nameProvider(second)
    await decide('keep', first.url, second.url)
    expect((await signIn(second, 'same')).data.id).toBe(mine.data.id)
  })

  it('takes an old identity for that of the address it was made at, in no other spelling', async () => {
    const [first] = providers
    await nameProvider(first)
    const issuer = app.contributions.authProviders.get('oidc')?.issuer
    expect(issuer?.configured()).toBe(`at ${first.url} (client ours)`)
    await app.options.setMany({
      'oidc.well_known': `${first.url}/.well-known/../leads?to=elsewhere`,
      'oidc.client_secret': 'our-secret',
    })
    expect(issuer?.configured()).toBe(
      `at ${first.url}/.well-known/../leads?to=elsewhere (client ours)`,
    )
  })

  it('is not the one before because it calls itself so', async () => {
    const [first] = providers
    const root = await app.accounts.create({ username: 'chief', role: 100, by: 'setup' })
    await nameProvider(first)
    await app.accounts.update(root.id, {
      identities: { oidc: { subject: 'chief', issuer: `${first.url} (client ours)` } },
    })
    // It has its own keys and tokens but claims a foreign issuer: what a host says about itself proves nothing.
    const impostor = await behindAnotherAddress(first.url)
    await nameProvider(impostor)
    expect(await signIn(first, 'chief')).toMatchObject({ code: 'sign_in.issuer_changed' })
    const issuer = app.contributions.authProviders.get('oidc')?.issuer
    const address = `${impostor.url}/.well-known/openid-configuration`
    expect(await issuer?.current?.()).toBe(`${first.url} at ${address} (client ours)`)
    await impostor.close()
  })

  it('is one whose tokens come from elsewhere, but not where its own address is set by hand', async () => {
    const [first] = providers
    await nameProvider(first)
    const mine = await signIn(first, 'same')
    const tokensFrom = (address: string) =>
      app.options.setMany({ 'oidc.token_endpoint': address, 'oidc.client_secret': 'our-secret' })
    await tokensFrom(`${first.url}/token`)
    expect((await signIn(first, 'same')).data.id).toBe(mine.data.id)
    await tokensFrom(`${first.url}/token?of=another`)
    expect(await signIn(first, 'same')).toMatchObject({ code: 'sign_in.issuer_changed' })
    await tokensFrom('')
  })

  it('is one with endpoints set by hand, known by the one that names people', async () => {
    const [first] = providers
    await nameProvider(first)
    await signIn(first, 'same')
    await app.options.setMany({
      'oidc.well_known': '',
      'oidc.client_secret': 'our-secret',
      'oidc.authorization_endpoint': `${first.url}/auth`,
      'oidc.token_endpoint': `${first.url}/token`,
      'oidc.user_info_endpoint': `${first.url}/me`,
    })
    expect(await signIn(first, 'same')).toMatchObject({ code: 'sign_in.issuer_changed' })
    await decide('keep', first.url, `${first.url}/me`)
    expect(await signIn(first, 'same')).toMatchObject({ success: true })
  })

  it('is the same one with another client: who has registered it gets codes of people elsewhere', async () => {
    const [first] = providers
    await nameProvider(first)
    await signIn(first, 'same')
    const issuer = app.contributions.authProviders.get('oidc')?.issuer
    const before = await issuer?.current?.()
    await app.options.set('oidc.client_id', 'his')
    expect(await issuer?.current?.()).not.toBe(before)
    await app.options.set('oidc.client_id', 'ours')
    expect((await signIn(first, 'same')).success).toBe(true)
  })
})
