// A provider that the operator exchanges for another: equal subjects are other people.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AuthProvider, definePlugin, errorType, type UserRecord } from '#core'
import { createPluginApp, databaseKinds, type PluginApp } from '#test'
import { userIdentities } from '../data/models/user-identity.ts'
import { markOldIdentities } from './issuers.ts'

const away = errorType('acme.away', 502, { en: 'Acme is away.', zh: 'Acme 无法访问。' })
const notices: { kind: string; values: unknown[] }[] = []
/** What the settings name, and who is found there. */
let address = ''
let issuer = ''
let isAway = false

const acme: AuthProvider = {
  id: 'acme',
  kind: 'direct',
  name: { en: 'Acme', zh: 'Acme' },
  isEnabled: () => true,
  issuer: {
    configured: () => (address === '' ? '' : `at ${address}`),
    current: () => {
      if (isAway) throw away()
      return issuer
    },
  },
  identify: ({ parameters: { code = '', late } }) =>
    Promise.resolve({ subject: code, issuer: late ?? issuer }),
}
const plain: AuthProvider = {
  id: 'plain',
  kind: 'direct',
  name: { en: 'Plain', zh: 'Plain' },
  isEnabled: () => true,
  identify: ({ parameters }) => Promise.resolve({ subject: parameters['code'] ?? '' }),
}

describe.each(databaseKinds)('the issuer of identities on $name', (kind) => {
  let app: PluginApp
  let root: UserRecord

  beforeAll(async () => {
    app = await createPluginApp({
      kind,
      plugins: [
        definePlugin({
          id: 'methods',
          server: ({ authProviders }) => {
            authProviders.add(acme)
            authProviders.add(plain)
          },
        }),
      ],
      services: {
        notifications: {
          notify: () => Promise.resolve(),
          ways: () => [],
          notifyAdmins: (notice) => Promise.resolve(void notices.push(notice)),
        },
      },
    })
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    name('https://one.example.com')
    isAway = false
    notices.length = 0
    root = await app.accounts.create({
      username: 'root',
      role: 100,
      by: 'setup',
    })
  })
  afterEach(() => app.removeAccounts())

  const name = (url: string) => {
    address = url
    issuer = url
  }
  const signIn = (code: string, id = 'acme') =>
    app.client().call<{ id: number }>('GET', `/api/oauth/${id}?code=${code}`)
  const issuersOf = async () =>
    (await userIdentities(app.database).findAll({ order: ['subject'] })).map(
      (row) => row.get().issuer,
    )
  const rootCalls = () => app.signedIn(root.id)
  const decide = async (body: object) =>
    (await rootCalls()).call('POST', '/api/oauth/issuers', { provider: 'acme', ...body })
  const changed = async () => (await (await rootCalls()).call('GET', '/api/oauth/issuers')).data
  const [one, two] = ['https://one.example.com', 'https://two.example.com']

  it('is kept with the identity, and a slash at its end makes no difference', async () => {
    const { data } = await signIn('7')
    issuer = `${one}/`
    expect((await signIn('7')).data.id).toBe(data.id)
    expect(await issuersOf()).toEqual([one])
    expect((await signIn('9', 'plain')).success).toBe(true)
    expect(await changed()).toEqual([])
  })

  it('keeps an equal subject of another one out, and newcomers until it is decided', async () => {
    const mine = await signIn('7')
    name(two)
    for (const code of ['7', '8'])
      expect(await signIn(code)).toMatchObject({ success: false, code: 'sign_in.issuer_changed' })
    expect(notices[0]).toMatchObject({ kind: 'identity_issuer', values: [acme.name, two, one] })
    const bound = await (await rootCalls()).call('GET', '/api/oauth/acme/bind?code=9')
    expect(bound).toMatchObject({ code: 'sign_in.issuer_changed' })
    name(one)
    expect((await signIn('7')).data.id).toBe(mine.data.id)
  })

  it('lets the super admin say that they are the same people', async () => {
    const { data } = await signIn('7')
    name(two)
    expect(await changed()).toEqual([
      {
        provider: 'acme',
        name: acme.name,
        issuer: two,
        fault: '',
        others: [{ issuer: one, accounts: 1, stranded: 1 }],
      },
    ])
    const answer = await decide({ from: one, to: two, action: 'keep' })
    expect(answer).toMatchObject({ data: { accounts: 1 } })
    expect((await signIn('7')).data.id).toBe(data.id)
    expect(await changed()).toEqual([])
  })

  it('lets the super admin forget the old ones, whose accounts stay', async () => {
    const { data } = await signIn('7')
    const bound = await app.accounts.create({
      username: 'bob',
      password: 'y'.repeat(12),
      by: 'admin',
    })
    await (await app.signedIn(bound.id)).call('GET', '/api/oauth/acme/bind?code=8')
    name(two)
    expect(await changed()).toMatchObject([{ others: [{ accounts: 2, stranded: 1 }] }])
    await decide({ from: one, to: two, action: 'forget' })
    const anew = await signIn('7')
    expect(anew.data.id).not.toBe(data.id)
    expect(await app.accounts.find(data.id)).toMatchObject({ DeletedAt: null })
    expect(await issuersOf()).toEqual([two])
  })

  it('takes no decision from an admin, without proof, or about settings of another moment', async () => {
    await signIn('7')
    name(two)
    const admin = await app.accounts.create({ username: 'admin', role: 10, by: 'admin' })
    const body = { provider: 'acme', from: one, to: two, action: 'keep' }
    const post = async (id: number, isFresh = true) =>
      (await app.signedIn(id, { isFresh })).call('POST', '/api/oauth/issuers', body)
    expect(await post(admin.id)).toMatchObject({ code: 'access.role_too_low' })
    expect(await post(root.id, false)).toMatchObject({ code: 'auth.proof_needed' })
    name('https://three.example.com')
    expect(await post(root.id)).toMatchObject({ code: 'sign_in.issuer_moved' })
    expect(await decide({ provider: 'plain', from: '', to: '', action: 'forget' })).toMatchObject({
      code: 'sign_in.issuer_unknown',
    })
    expect(await decide({ from: one, to: two, action: 'merge' })).toMatchObject({ success: false })
    isAway = true
    expect(await changed()).toMatchObject([{ issuer: '', fault: 'Acme is away.' }])
    expect(await post(root.id)).toMatchObject({ code: 'acme.away' })
    expect(await issuersOf()).toEqual([one])
  })

  it('keeps the last way in that opens, for one of another issuer opens nothing', async () => {
    const { data } = await signIn('7')
    const client = await app.signedIn(data.id)
    await client.call('GET', '/api/oauth/plain/bind?code=9')
    const unbind = (provider: string) => client.call('POST', '/api/user/unbind', { provider })
    name(two)
    expect(await unbind('plain')).toMatchObject({ code: 'sign_in.last_way_in' })
    isAway = true
    name('')
    expect(await changed()).toEqual([])
    isAway = false
    name(one)
    expect(await unbind('plain')).toMatchObject({ success: true })
  })

  it('is for identities from before what the settings named at the start', async () => {
    const ada = await app.accounts.create({
      username: 'ada',
      by: 'provider',
      provider: { id: 'acme', subject: '7' },
    })
    await app.accounts.create({
      username: 'bob',
      by: 'provider',
      provider: { id: 'plain', subject: '7' },
    })
    const deps = { database: app.database, log: { warn: () => undefined } as never }
    await markOldIdentities(deps, [acme, plain])
    address = two
    issuer = two
    expect(await signIn('7')).toMatchObject({ code: 'sign_in.issuer_changed' })
    name(one)
    // Found there under a name of its own.
    issuer = 'https://sso.example.com'
    expect((await signIn('7')).data.id).toBe(ada.id)
    expect(
      await userIdentities(app.database).findAll({ where: { provider: 'acme' } }),
    ).toMatchObject([{ issuer: 'https://sso.example.com' }])
  })

  it('is nothing that is set later for identities from before, where nothing was set', async () => {
    const identity = { id: 'acme', subject: '7' }
    await app.accounts.create({ username: 'ada', by: 'provider', provider: identity })
    const deps = { database: app.database, log: { warn: () => undefined } as never }
    name('')
    await markOldIdentities(deps, [acme, plain])
    name(two)
    await markOldIdentities(deps, [acme, plain])
    expect(await signIn('7')).toMatchObject({ code: 'sign_in.issuer_changed' })
    const [from = ''] = await issuersOf()
    const answer = await decide({ from, to: two, action: 'keep' })
    expect(answer).toMatchObject({ data: { accounts: 1 } })
    expect((await signIn('7')).success).toBe(true)
  })

  it('gives old identities to nobody who was asked before the settings were as they are', async () => {
    const identity = { id: 'acme', subject: '7', issuer: `at ${one}` }
    const ada = await app.accounts.create({ username: 'ada', by: 'provider', provider: identity })
    expect(await signIn(`7&late=${two}`)).toMatchObject({ code: 'sign_in.issuer_changed' })
    expect(await issuersOf()).toEqual([`at ${one}`])
    expect((await signIn('7')).data.id).toBe(ada.id)
    expect(await issuersOf()).toEqual([one])
  })

  it('holds for 20 newcomers at once while the settings change', async () => {
    const calls = Array.from({ length: 20 }, (_, at) => {
      name(at % 2 === 0 ? one : two)
      return signIn('7')
    })
    const answers = await Promise.all(calls)
    const ids = new Set(answers.filter(({ success }) => success).map(({ data }) => data.id))
    expect(ids.size).toBe(1)
    expect(await issuersOf()).toHaveLength(1)
  })
})
