import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type AuthAnswer,
  type AuthRequest,
  defineOptions,
  definePlugin,
  errorType,
  type ProviderIdentity,
  Type,
  type UserRecord,
} from '#core'
import {
  createPluginApp,
  databaseKinds,
  type InjectAnswer,
  type InjectClient,
  type PluginApp,
} from '#test'

const password = 'correct horse'
const tooYoung = errorType('acme.too_young', 403, { en: 'Too young.', zh: '太新。' })

/** A provider whose codes say who somebody is; `direct` ones take them without a state. */
const identities = new Map<string, ProviderIdentity>()
const requests: AuthRequest[] = []
const answers: AuthAnswer[] = []
const flags = new Map([
  ['acme', true],
  ['other', true],
  ['phone', true],
])

function identityOf(code: string | undefined): ProviderIdentity {
  const identity = identities.get(code ?? '')
  if (!identity) throw new Error(`no such code: ${code}`)
  return identity
}

const redirect = (id: string) => ({
  id,
  kind: 'redirect' as const,
  name: { en: id, zh: id },
  isEnabled: () => flags.get(id) === true,
  authorizeUrl: (request: AuthRequest) => {
    requests.push(request)
    return `https://${id}.example.com/authorize?state=${request.state}`
  },
  identify: (answer: AuthAnswer) => {
    answers.push(answer)
    return Promise.resolve(identityOf(answer.code))
  },
})

const methods = definePlugin({
  id: 'methods',
  options: defineOptions({
    EmailDomainRestrictionEnabled: Type.Boolean({ default: false }),
    EmailDomainWhitelist: Type.String({ default: 'example.com' }),
    EmailAliasRestrictionEnabled: Type.Boolean({ default: false }),
  }),
  server({ authProviders }) {
    authProviders.add(redirect('acme'))
    authProviders.add({ ...redirect('other'), codeParameter: 'ticket' })
    authProviders.add({
      id: 'phone',
      kind: 'direct',
      name: { en: 'Phone', zh: '手机' },
      isEnabled: () => flags.get('phone') === true,
      createsAccounts: false,
      bindsByNavigation: true,
      identify: ({ parameters }) => Promise.resolve(identityOf(parameters['code'])),
    })
  },
})

describe.each(databaseKinds)('signing in through a provider on $name', (kind) => {
  let app: PluginApp
  let ada: UserRecord

  beforeAll(async () => {
    app = await createPluginApp({ plugins: [methods], kind })
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    identities.clear()
    identities.set('ada', { subject: '7', username: 'ada', display_name: 'Ada' })
    ada = await app.accounts.create({ username: 'ada', by: 'admin' })
  })
  afterEach(async () => {
    requests.length = 0
    answers.length = 0
    for (const id of flags.keys()) flags.set(id, true)
    await app.options.setMany({
      RegisterEnabled: 'true',
      QuotaForNewUser: '0',
      QuotaForInviter: '0',
      QuotaForInvitee: '0',
      EmailDomainRestrictionEnabled: 'false',
    })
    await app.removeAccounts()
  })

  type User = { id: number; username: string }
  function callBack(client: InjectClient, state: string, code = 'ada', provider = 'acme') {
    return client.call<User>('GET', `/api/oauth/${provider}?code=${code}&state=${state}`)
  }
  async function signInBy(code: string, query?: string): Promise<InjectAnswer<User>> {
    const client = app.client()
    return callBack(client, await start(client, query), code)
  }
  const count = async (username: string) =>
    (await app.accounts.search({ keyword: username, group: '' }, { page: 1, pageSize: 50 })).total

  it('makes an account for a newcomer, with a session of a new id', async () => {
    const client = app.client()
    const answer = await client.call<string>('GET', '/api/oauth/state?provider=acme')
    expect(answer).toMatchObject({
      authorize_url: `https://acme.example.com/authorize?state=${answer.data}`,
    })
    const before = String(answer.headers['set-cookie'])
    const done = await callBack(client, answer.data)
    // The name is taken by somebody who has nothing to do with it.
    expect(done).toMatchObject({
      success: true,
      message: '',
      data: { username: 'ada_2', display_name: 'Ada', role: 1, status: 1, group: 'default' },
    })
    expect(String(done.headers['set-cookie'])).toMatch(/session=/)
    expect(String(done.headers['set-cookie'])).not.toBe(before)
    expect(await app.accounts.hasPassword(done.data.id)).toBe(false)
    expect((await signInBy('ada')).data.id).toBe(done.data.id)
  })

  it('lets one of many callbacks with one state through', async () => {
    const client = app.client()
    const state = await start(client)
    const all = await Promise.all(Array.from({ length: 8 }, () => callBack(client, state)))
    expect(all.filter(({ success }) => success)).toHaveLength(1)
    expect(answers).toHaveLength(1)
  })

  it('keeps the last five starts of a browser', async () => {
    const client = app.client()
    const states: string[] = []
    for (let tries = 0; tries < 6; tries += 1) states.push(await start(client))
    expect(await callBack(client, states[0] ?? '')).toMatchObject({ success: false })
    expect(await callBack(client, states[1] ?? '')).toMatchObject({ success: true })
  })

  it('makes one account and pays once when one person signs in many times at once', async () => {
    await app.options.setMany({
      QuotaForNewUser: '100',
      QuotaForInvitee: '20',
      QuotaForInviter: '7',
    })
    const aff = await app.accounts.affCode(ada.id)
    const query = `provider=acme&aff=${aff}`
    identities.set('new', { subject: 'new', username: 'newcomer' })
    const all = await Promise.all(Array.from({ length: 8 }, () => signInBy('new', query)))
    expect(new Set(all.map(({ data }) => data.id)).size).toBe(1)
    expect(await count('newcomer')).toBe(1)
    expect(await app.accounts.find(all[0]?.data.id ?? 0)).toMatchObject({
      quota: 120,
      inviter_id: ada.id,
    })
    expect(await app.accounts.find(ada.id)).toMatchObject({ aff_count: 1, aff_quota: 7 })
  })

  it('never leads to an account by its address', async () => {
    await app.accounts.update(ada.id, { email: 'ada@example.com' })
    for (const isEmailVerified of [false, true]) {
      const subject = `thief-${isEmailVerified}`
      identities.set('thief', { subject, email: 'ada@example.com', isEmailVerified })
      const { data } = await signInBy('thief')
      expect(data.id).not.toBe(ada.id)
      expect(await app.accounts.find(data.id)).toMatchObject({ email: '' })
    }
  })

  it.each([
    {
      who: 'a banned user',
      code: 'sign_in.banned',
      change: (id: number) => app.accounts.update(id, { status: 2 }),
    },
    {
      who: 'a deregistered user',
      code: 'sign_in.deregistered',
      change: (id: number) => app.accounts.softDelete(id),
    },
  ])('refuses $who and makes no second account', async ({ code, change }) => {
    const { data } = await signInBy('ada')
    await change(data.id)
    const again = await signInBy('ada')
    expect(again).toMatchObject({ status: 200, success: false, code })
    expect(await count('ada')).toBe(2)
  })

  describe('binding', () => {
    async function bindings(client: InjectClient) {
      const { data } = await client.call<{ provider: string; subject: string }[]>(
        'GET',
        '/api/user/identities',
      )
      return Object.fromEntries(data.map(({ provider, subject }) => [provider, subject]))
    }

    it('adds the identity to the signed-in user, again and again', async () => {
      const client = await app.signedIn(ada.id)
      for (const code of ['ada', 'ada']) {
        const answer = await callBack(client, await start(client), code)
        expect(answer).toMatchObject({ success: true, message: 'bind' })
        expect(answer.headers['set-cookie']).toBeUndefined()
      }
      expect(await bindings(client)).toEqual({ acme: '7', other: '', phone: '' })
      expect((await signInBy('ada')).data.id).toBe(ada.id)
    })

    it('refuses the identity of another account, deregistered ones included', async () => {
      const { data } = await signInBy('ada')
      const client = await app.signedIn(ada.id)
      const tryIt = async () => callBack(client, await start(client))
      expect(await tryIt()).toMatchObject({ code: 'account.identity_taken' })
      await app.accounts.softDelete(data.id)
      expect(await tryIt()).toMatchObject({ code: 'account.identity_taken' })
    })

    it('gives one identity to one of two users who bind it at once', async () => {
      const bob = await app.accounts.create({ username: 'bob', password, by: 'admin' })
      const clients = [await app.signedIn(ada.id), await app.signedIn(bob.id)]
      const all = await Promise.all(
        clients.map(async (client) => callBack(client, await start(client))),
      )
      expect(all.filter(({ success }) => success)).toHaveLength(1)
    })

    it('is told apart from signing in by the session that began it', async () => {
      const visitor = app.client()
      const state = await start(visitor)
      const client = await app.signedIn(ada.id)
      // The victim's browser gets a state of the attacker's session, and the other way round.
      expect(await callBack(client, state)).toMatchObject({ code: 'sign_in.state_invalid' })
      const own = await start(client)
      expect(await callBack(visitor, own)).toMatchObject({ code: 'sign_in.state_invalid' })
      expect(await bindings(client)).toEqual({ acme: '', other: '', phone: '' })
    })

    it('of a banned user is refused', async () => {
      const client = await app.signedIn(ada.id)
      const state = await start(client)
      await app.accounts.update(ada.id, { status: 2 })
      expect(await callBack(client, state)).toMatchObject({ success: false })
      expect(await app.accounts.identitiesOf(ada.id)).toEqual([])
    })

    it('ends by unbinding, but for the last way in', async () => {
      const { data } = await signInBy('ada')
      const client = await app.signedIn(data.id)
      const unbind = (provider: unknown) => client.call('POST', '/api/user/unbind', { provider })
      expect(await unbind('other')).toMatchObject({ code: 'sign_in.identity_unknown' })
      expect(await unbind({ $gt: '' })).toMatchObject({ code: 'request.invalid_field' })
      expect(await unbind('acme')).toMatchObject({ code: 'sign_in.last_way_in' })
      await app.accounts.update(data.id, { identities: { other: '9' } })
      flags.set('other', false)
      expect(await unbind('acme')).toMatchObject({ code: 'sign_in.last_way_in' })
      flags.set('other', true)
      expect(await unbind('acme')).toMatchObject({ success: true })
      await app.accounts.update(data.id, { password })
      const again = await app.signedIn(data.id)
      expect(await again.call('POST', '/api/user/unbind', { provider: 'other' })).toMatchObject({
        success: true,
      })
    })

    it('ends only for whoever has shown lately who he is', async () => {
      const { data } = await signInBy('ada')
      await app.accounts.update(data.id, { password })
      const token = await app.accounts.newAccessToken(data.id)
      const old = await app.signedIn(data.id, { isFresh: false })
      for (const client of [old, app.client().useToken(data.id, token)])
        expect(await client.call('POST', '/api/user/unbind', { provider: 'acme' })).toMatchObject({
          code: 'auth.proof_needed',
        })
      expect(await app.accounts.identitiesOf(data.id)).toHaveLength(1)
    })

    it('leaves one way in when two are unbound at once', async () => {
      const { data } = await signInBy('ada')
      await app.accounts.update(data.id, { identities: { other: '9' } })
      const client = await app.signedIn(data.id)
      await Promise.all(
        ['acme', 'other'].map((provider) => client.call('POST', '/api/user/unbind', { provider })),
      )
      expect(await app.accounts.identitiesOf(data.id)).toHaveLength(1)
    })

    it('is for signed-in users only', async () => {
      for (const [method, path] of [
        ['GET', '/api/user/identities'],
        ['POST', '/api/user/unbind'],
      ] as const)
        expect(await app.client().call(method, path, { provider: 'acme' })).toMatchObject({
          status: 401,
        })
    })
  })

  // Here the databases make no difference.
  if (kind !== databaseKinds[0]) return

  async function start(client: InjectClient, query = 'provider=acme'): Promise<string> {
    return (await client.call<string>('GET', `/api/oauth/state?${query}`)).data
  }
  it('reads the code where the provider writes it, and signs nobody in without one', async () => {
    const client = app.client()
    const answer = async (code: string) => {
      const state = await start(client, 'provider=other')
      return client.call<User>('GET', `/api/oauth/other?${code}&state=${state}`)
    }
    expect(await answer('code=ada')).toMatchObject({ success: false, code: 'sign_in.code_missing' })
    expect(await answer('ticket=ada')).toMatchObject({ success: true })
    expect(answers.at(-1)).toMatchObject({ code: 'ada', parameters: { ticket: 'ada' } })
  })

  it('gives the provider a challenge and a nonce, and itself what fits them', async () => {
    await signInBy('ada')
    const [request] = requests
    const [answer] = answers
    expect(request?.codeChallenge).toMatch(/^[\w-]{43}$/)
    expect(answer).toMatchObject({ nonce: request?.nonce, redirectUri: request?.redirectUri })
    expect(request?.redirectUri).toBe('http://localhost/oauth/acme')
    const hash = await crypto.subtle.digest('SHA-256', Buffer.from(answer?.codeVerifier ?? ''))
    expect(Buffer.from(hash).toString('base64url')).toBe(request?.codeChallenge)
  })

  it('gives a planted session nothing of the sign-in that began in it', async () => {
    const attacker = app.client()
    const { headers, data: state } = await attacker.call<string>(
      'GET',
      '/api/oauth/state?provider=acme',
    )
    const planted = String(headers['set-cookie']).split(';')[0] ?? ''
    const victim = await app.app.inject({
      url: `/api/oauth/acme?code=ada&state=${state}`,
      headers: { cookie: planted },
    })
    const { data } = victim.json<{ data: User }>()
    const answer = await app.app.inject({
      url: '/api/user/identities',
      headers: { cookie: planted, 'new-api-user': String(data.id) },
    })
    expect([data.username, answer.statusCode]).toEqual(['ada_2', 401])
  })

  it('names its own callback page to the provider, whatever address the call names', async () => {
    await app.options.set('ServerAddress', 'https://gateway.example.com:443/')
    const url = '/api/oauth/state?provider=acme&redirect_uri=https://evil.example.com'
    await app.app.inject({ url, headers: { host: 'evil.example.com' } })
    expect(requests[0]?.redirectUri).toBe('https://gateway.example.com/oauth/acme')
    await app.options.set('ServerAddress', '')
  })

  it('takes a state of an older console, which names no provider and sends no challenge', async () => {
    expect(await signInBy('ada', '')).toMatchObject({ success: true })
    expect(answers[0]).toMatchObject({ codeVerifier: undefined, nonce: undefined })
  })

  it.each(['', 'made-up', '%00'])('refuses the state "%s"', async (state) => {
    const client = app.client()
    await start(client)
    expect(await callBack(client, state)).toMatchObject({ success: false })
    expect(answers).toEqual([])
  })

  it('refuses a state of another session, another provider and a state that was used', async () => {
    const [mine, theirs] = [app.client(), app.client()]
    const foreign = await start(theirs)
    const other = await start(mine, 'provider=other')
    const used = await start(mine)
    for (const state of [foreign, other]) {
      expect(await callBack(mine, state)).toMatchObject({
        status: 200,
        code: 'sign_in.state_invalid',
      })
    }
    expect(await callBack(mine, used)).toMatchObject({ success: true })
    expect(await callBack(mine, used)).toMatchObject({ code: 'sign_in.state_invalid' })
    expect(answers).toHaveLength(1)
  })

  it.each([
    { email: 'New@Example.com', isEmailVerified: true, kept: 'new@example.com' },
    { email: 'new@example.com', isEmailVerified: false, kept: '' },
    { email: 'new@elsewhere.org', isEmailVerified: true, kept: '' },
  ])('keeps "$kept" of the address $email ($isEmailVerified)', async ({ kept, ...identity }) => {
    await app.options.set('EmailDomainRestrictionEnabled', 'true')
    identities.set('new', { subject: 'new', ...identity })
    const { data } = await signInBy('new')
    expect(await app.accounts.find(data.id)).toMatchObject({
      email: kept,
      username: expect.stringMatching(/^acme_\d+$/),
    })
  })

  it('makes no account while registration is off, and lets those in who have one', async () => {
    await signInBy('ada')
    await app.options.set('RegisterEnabled', 'false')
    identities.set('new', { subject: 'new' })
    expect(await signInBy('new')).toMatchObject({ code: 'sign_in.registration_off' })
    expect(await signInBy('ada')).toMatchObject({ success: true })
  })

  it('makes no account that the provider has a reason against', async () => {
    identities.set('new', { subject: 'new', refusal: tooYoung() })
    expect(await signInBy('new')).toMatchObject({ code: 'acme.too_young' })
  })

  it('says what the provider refused, on one line', async () => {
    const query = 'error=access_denied&error_description=No%0Away'
    expect(await app.client().call('GET', `/api/oauth/acme?${query}`)).toMatchObject({
      status: 200,
      success: false,
      message: 'The sign-in provider answered: No way',
    })
  })

  it.each(['state?provider=acme', 'acme?code=ada&state=x', 'phone?code=ada'])(
    'is closed while the method is off: %s',
    async (path) => {
      const client = app.client()
      const state = await start(client)
      for (const id of flags.keys()) flags.set(id, false)
      const answer = await client.call('GET', `/api/oauth/${path.replace('=x', `=${state}`)}`)
      expect(answer).toMatchObject({ code: 'sign_in.provider_off' })
    },
  )

  it('shows nobody what went wrong inside a method', async () => {
    expect(await signInBy('unknown')).toMatchObject({
      status: 200,
      code: 'sign_in.provider_failed',
    })
  })

  describe('without a state', () => {
    const open = async (path: string, headers: Record<string, string>, userId?: number) => {
      const { cookie = '' } = userId === undefined ? {} : await cookieOf(userId)
      return app.app.inject({ url: path, headers: { ...headers, cookie } })
    }
    async function cookieOf(userId: number) {
      await app.accounts.update(userId, { identities: { acme: '7' } })
      const client = app.client()
      const { headers } = await callBack(client, await start(client))
      return { cookie: String(headers['set-cookie']).split(';')[0] ?? '' }
    }

    it('an unknown identity is refused where no accounts are made', async () => {
      expect(await app.client().call('GET', '/api/oauth/phone/login?code=ada')).toMatchObject({
        code: 'sign_in.not_bound',
      })
    })

    it('binds from a page of the console and leads on', async () => {
      const answer = await open(
        '/api/oauth/phone/bind?code=ada',
        { 'sec-fetch-site': 'same-origin' },
        ada.id,
      )
      expect([answer.statusCode, answer.headers.location]).toEqual([302, '/setting'])
      expect(await app.client().call('GET', '/api/oauth/phone?code=ada')).toMatchObject({
        data: { id: ada.id },
      })
    })

    it('leads whoever is not signed in to the sign-in page, and a refusal to the settings', async () => {
      const nobody = await open('/api/oauth/phone/bind?code=ada', {})
      expect(nobody.headers.location).toBe('/login?expired=true')
      flags.set('phone', false)
      const off = await open('/api/oauth/phone/bind?code=ada', {}, ada.id)
      expect(off.headers.location).toMatch(/^\/setting\?error=This%20way/)
    })

    it.each([
      { of: 'another site', headers: { 'sec-fetch-site': 'cross-site' } },
      { of: 'a neighbouring site', headers: { 'sec-fetch-site': 'same-site' } },
      { of: 'a mail', headers: { 'sec-fetch-site': 'none' } },
      { of: 'a mail, in a browser that says little', headers: { accept: 'text/html,*/*' } },
      {
        of: 'another site, in a browser that says little',
        headers: { referer: 'https://evil.example.com/' },
      },
    ])('no link of $of signs in or binds', async ({ headers }) => {
      for (const path of ['phone', 'phone/login', 'phone/bind']) {
        const answer = await open(`/api/oauth/${path}?code=ada`, headers, ada.id)
        expect(answer.json()).toMatchObject({ success: false, code: 'request.foreign_link' })
        expect(answer.headers['set-cookie']).toBeUndefined()
      }
    })
  })
})
