import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { UserRecord } from '#core'
import { createPluginApp, databaseKinds, type PluginApp } from '#test'
import authTelegram from './index.ts'
import { botIdOf, personOf, signerOf } from './telegram.ts'

const botToken = '123456:TEST-BOT-TOKEN'
/** From the contract of the console API, section 11; made by none of our code. */
const vector = {
  id: '4242',
  first_name: 'Ada',
  username: 'ada',
  auth_date: '1700000000',
  hash: 'd8b36ec5eca3ba6783a543e4ac828c453ced1cae48dd32b7621c3cf05b7835ed',
}

/** Signed with the browser's own interface, so that the test does not repeat a mistake of the code. */
async function signed(
  fields: Record<string, string>,
  token = botToken,
): Promise<Record<string, string>> {
  const names = Object.keys(fields).sort()
  const text = names.map((name) => `${name}=${fields[name]}`).join('\n')
  const secret = await crypto.subtle.digest('SHA-256', Buffer.from(token))
  const how = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', secret, how, false, ['sign'])
  const hash = await crypto.subtle.sign('HMAC', key, Buffer.from(text))
  return { ...fields, hash: Buffer.from(hash).toString('hex') }
}

describe('what Telegram signed', () => {
  const at = (seconds: number) => 1_700_000_000_000 + seconds * 1000

  it('names the person', () => {
    expect(personOf(vector, botToken, at(60))).toBe('4242')
  })

  it('may have been handed on with more than was signed', () => {
    expect(personOf({ ...vector, lang: 'en', aff: 'x' }, botToken, at(60))).toBe('4242')
  })

  it('may be signed with fields that are not documented', async () => {
    const fields = await signed({ id: '1', lang: 'en', auth_date: '1700000000' })
    expect(personOf(fields, botToken, at(0))).toBe('1')
  })

  it('cannot be cut into other fields by a name with line breaks', async () => {
    const auth_date = '1700000000'
    const first_name = 'Eve\nid=4242\nlast_name=E'
    const { hash } = await signed({ id: '1', first_name, auth_date })
    const cut = { id: '4242', first_name: 'Eve', last_name: 'E\nid=1', auth_date, hash: hash! }
    expect(() => personOf(cut, botToken, at(0))).toThrow('not come from Telegram')
  })

  it.each([
    { what: 'another person', change: { id: '1' } },
    { what: 'another name', change: { username: 'root' } },
    { what: 'a later date', change: { auth_date: '1700000001' } },
    { what: 'no hash', change: { hash: '' } },
    { what: 'a short hash', change: { hash: vector.hash.slice(0, 32) } },
    { what: 'a hash in capitals', change: { hash: vector.hash.toUpperCase() } },
    { what: 'a name as the person', change: { id: 'root' } },
  ])('is refused with $what', ({ change }) => {
    expect(() => personOf({ ...vector, ...change }, botToken, at(0))).toThrow(
      'not come from Telegram',
    )
  })

  it('is refused for another bot, and for none', () => {
    for (const token of ['123456:OTHER', ''])
      expect(() => personOf(vector, token, at(0))).toThrow('not come from Telegram')
  })

  it('is taken for ten minutes, and from a clock that is five minutes fast', () => {
    for (const age of [600, -300]) expect(personOf(vector, botToken, at(age))).toBe('4242')
    for (const age of [601, -301])
      expect(() => personOf(vector, botToken, at(age))).toThrow('too old')
  })

  it('comes from a bot whose number is no secret', () => {
    expect([botIdOf(botToken), botIdOf(''), botIdOf('abc:1')]).toEqual(['123456', '', ''])
  })
})

describe.each(databaseKinds)('signing in with Telegram on $name', (kind) => {
  let app: PluginApp
  let ada: UserRecord

  beforeAll(async () => {
    app = await createPluginApp({ plugins: [authTelegram], kind })
    await app.options.set('TelegramBotToken', botToken)
    await app.options.set('TelegramOAuthEnabled', 'true')
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    ada = await app.accounts.create({ username: 'ada', by: 'admin' })
  })
  afterEach(() => app.removeAccounts())

  const query = (fields: Record<string, string>) => `?${new URLSearchParams(fields).toString()}`
  let moment = 0
  /** No two alike, as time passes between two of a person. */
  const later = () => {
    moment += 1
    return String(Math.floor(Date.now() / 1000) - 300 + (moment % 300))
  }
  async function logIn(fields?: Record<string, string>) {
    const sent = fields ?? (await signed({ id: '77', first_name: 'Ada & Co', auth_date: later() }))
    return app.client().call<{ id: number }>('GET', `/api/oauth/telegram/login${query(sent)}`)
  }

  async function bind(userId: number | undefined, fields: Record<string, string>) {
    const cookie = userId === undefined ? '' : await cookieOf(userId)
    const url = `/api/oauth/telegram/bind${query(fields)}`
    const answer = await app.app.inject({
      url,
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    })
    return [answer.statusCode, answer.headers.location]
  }
  async function cookieOf(userId: number): Promise<string> {
    const own = { subject: '1', issuer: signerOf(botToken) }
    await app.accounts.update(userId, { identities: { telegram: own } })
    const { headers } = await logIn(await signed({ id: '1', auth_date: later() }))
    await app.accounts.update(userId, { identities: { telegram: '' } })
    return String(headers['set-cookie']).split(';')[0] ?? ''
  }

  it('makes no account, and lets those in who have bound theirs', async () => {
    expect(await logIn()).toMatchObject({ status: 200, code: 'sign_in.not_bound' })
    const fields = await signed({ id: '77', auth_date: later() })
    expect(await bind(ada.id, fields)).toEqual([302, '/setting'])
    expect((await logIn()).data.id).toBe(ada.id)
    await app.accounts.update(ada.id, { status: 2 })
    expect(await logIn()).toMatchObject({ code: 'sign_in.banned' })
  })

  it('takes what was signed once, with whatever is added, and from whomever first', async () => {
    const fields = await signed({ id: '77', auth_date: later() })
    await bind(ada.id, await signed({ id: '77', auth_date: later() }))
    const tries = Array.from({ length: 50 }, (_, at) => logIn({ ...fields, lang: `${at}` }))
    const codes = (await Promise.all(tries)).map(({ code }) => code)
    expect(codes.filter((code) => code === undefined)).toHaveLength(1)
    expect(new Set(codes)).toEqual(new Set([undefined, 'auth_telegram.used']))
    const eve = await app.accounts.create({ username: 'eve', by: 'admin' })
    const [, location] = await bind(eve.id, fields)
    expect(String(location)).toContain('used')
    expect(await app.accounts.identitiesOf(eve.id)).toEqual([])
  })

  it('opens nothing by a token that somebody else has set, for he can sign for anybody', async () => {
    await bind(ada.id, await signed({ id: '77', auth_date: later() }))
    const forged = '9:chosen'
    await app.options.set('TelegramBotToken', forged)
    const mine = await signed({ id: '77', auth_date: later() }, forged)
    expect(await logIn(mine)).toMatchObject({ code: 'sign_in.issuer_changed' })
    await app.options.set('TelegramBotToken', botToken)
    expect((await logIn()).data.id).toBe(ada.id)
    const signers = [signerOf(botToken), signerOf(forged), signerOf('')]
    expect(signers).toEqual([
      expect.stringMatching(/^bot 123456 \([0-9a-f]{16}\)$/),
      expect.stringMatching(/^bot 9 /),
      '',
    ])
  })

  it('leads to the settings with the reason when it does not bind', async () => {
    const [status, location] = await bind(ada.id, {
      ...(await signed({ id: '77', auth_date: later() })),
      id: '78',
    })
    expect([status, String(location)]).toEqual([302, expect.stringContaining('/setting?error=')])
    expect(await app.accounts.identitiesOf(ada.id)).toEqual([])
    expect(await bind(undefined, {})).toEqual([302, '/login?expired=true'])
  })

  it('tells the status the bot and never its token', () => {
    const fields = app.contributions.statusFields.list().map(({ id, value }) => [id, value()])
    expect(Object.fromEntries(fields)).toEqual({
      telegram_oauth: true,
      telegram_bot_name: '',
      telegram_bot_id: '123456',
    })
  })
})
