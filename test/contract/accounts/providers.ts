// Part 1, 4.4 and 5.3 to 5.7: signing in through providers, binding and unbinding. The providers are the stage's upstream.
import { createHash, createHmac } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { expect } from 'vitest'
import { signedIn } from '../shapes.ts'
import type { Stage } from '../stage.ts'
import type { Call, Room } from '../table.ts'

const botToken = '123456:TEST-BOT-TOKEN'

/** Part 1, 6.5, written from the document. */
function telegram(fields: Record<string, string>): Record<string, string> {
  const lines = Object.keys(fields)
    .sort()
    .map((name) => `${name}=${fields[name]}`)
  const secret = createHash('sha256').update(botToken).digest()
  const hash = createHmac('sha256', secret).update(lines.join('\n')).digest('hex')
  return { ...fields, hash }
}

const now = () => String(Math.floor(Date.now() / 1000))

/** A browser that keeps its cookie and sends no user header, as on the page that a provider leads back to. */
class Browser {
  readonly #url: string
  #cookie: string

  constructor(url: string, cookie = '') {
    this.#url = url
    this.#cookie = cookie
  }

  async get(path: string): Promise<{ status: number; location: string | null; body: unknown }> {
    const response = await fetch(this.#url + path, {
      redirect: 'manual',
      headers: this.#cookie === '' ? {} : { cookie: this.#cookie },
    })
    const session = response.headers.getSetCookie().find((line) => line.startsWith('session='))
    if (session) this.#cookie = session.split(';', 1)[0] ?? ''
    const text = await response.text()
    return {
      status: response.status,
      location: response.headers.get('location'),
      body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text,
    }
  }

  /** As older consoles do: the state, then the provider's page, then the callback. */
  async through(provider: string, code: string) {
    const { body } = await this.get('/api/oauth/state')
    const { data } = body as { data: string }
    return this.get(`/api/oauth/${provider}?code=${code}&state=${encodeURIComponent(data)}`)
  }
}

const callback = (provider: string): Call => ({
  method: 'GET',
  path: `/api/oauth/${provider}`,
  access: 'public',
  refuses: [
    {
      it: 'a state of nobody, with 200, so that older consoles show it (spec)',
      send: { query: { code: 'x', state: 'y' } },
      code: 'sign_in.state_invalid',
    },
    {
      it: 'an empty state',
      send: { query: { code: 'x', state: '' } },
      code: 'sign_in.state_invalid',
    },
  ],
})

const settings = {
  GitHubClientId: 'client',
  GitHubClientSecret: 'secret',
  GitHubOAuthEnabled: 'true',
  LinuxDOClientId: 'client',
  LinuxDOClientSecret: 'secret',
  LinuxDOOAuthEnabled: 'true',
  'oidc.client_id': 'client',
  'oidc.enabled': 'true',
  TelegramBotToken: botToken,
  TelegramBotName: 'contract_bot',
  TelegramOAuthEnabled: 'true',
  WeChatServerToken: 'wechat-secret',
}

export const providersRoom: Room = {
  subject: 'signing in through providers',
  prepare: async ({ option, upstream }) => {
    await option('WeChatServerAddress', upstream.url)
    for (const [key, value] of Object.entries(settings)) await option(key, value)
    await option('WeChatAuthEnabled', 'true')
  },
  calls: [
    {
      method: 'GET',
      path: '/api/oauth/state',
      access: 'public',
      answers: [
        { it: 'answers the state itself', data: Type.String({ minLength: 12 }) },
        { it: 'takes an invite code', send: { query: { aff: 'abcd' } }, data: Type.String() },
      ],
    },
    callback('github'),
    callback('oidc'),
    {
      ...callback('linuxdo'),
      answers: [],
      refuses: [
        {
          it: 'what the provider refused, in its words',
          send: { query: { error: 'access_denied', error_description: 'You said no' } },
          code: 'sign_in.refused_by_provider',
          says: /You said no/,
        },
        {
          it: 'a state of nobody',
          send: { query: { code: 'x', state: 'y' } },
          code: 'sign_in.state_invalid',
        },
      ],
    },
    {
      method: 'GET',
      path: '/api/oauth/wechat',
      access: 'public',
      answers: [
        { it: 'makes an account and signs in', send: { query: { code: '1001' } }, data: signedIn },
      ],
      refuses: [
        { it: 'no code', send: {}, code: 'auth_wechat.code_missing' },
        { it: 'a wrong code', send: { query: { code: '404' } }, code: 'auth_wechat.code_wrong' },
        {
          it: 'a code that was used',
          send: { query: { code: '1001' } },
          code: 'auth_wechat.code_wrong',
        },
      ],
    },
    {
      method: 'GET',
      path: '/api/oauth/wechat/bind',
      access: 'session',
      answers: [{ it: 'binds', send: { query: { code: '2002' } } }],
      refuses: [{ it: 'no code', send: {}, code: 'auth_wechat.code_missing' }],
    },
    {
      method: 'GET',
      path: '/api/oauth/email/bind',
      access: 'session',
      refuses: [
        {
          it: 'no code',
          send: { query: { email: 'a@example.com' } },
          code: 'email_bind.incomplete',
        },
        {
          it: 'a wrong code',
          send: { query: { email: 'a@example.com', code: '000000' } },
          code: 'register.code_wrong',
        },
      ],
    },
    {
      method: 'GET',
      path: '/api/oauth/telegram/login',
      access: 'public',
      refuses: [
        {
          it: 'a forged hash',
          send: () => ({ query: { id: '1', auth_date: now(), hash: 'f'.repeat(64) } }),
          code: 'auth_telegram.invalid',
        },
        {
          it: 'a sign-in of yesterday and before',
          send: { query: telegram({ id: '1', auth_date: '1700000000' }) },
          code: 'auth_telegram.too_old',
        },
        {
          it: 'whoever is not bound: it makes no accounts',
          send: () => ({ query: telegram({ id: '4242', auth_date: now() }) }),
          code: 'sign_in.not_bound',
        },
      ],
    },
    { method: 'GET', path: '/api/oauth/telegram/bind', access: 'public' },
    {
      method: 'POST',
      path: '/api/user/unbind',
      access: 'user',
      probe: { body: { provider: 'github' } },
      answers: [{ it: 'takes an identity away', send: { body: { provider: 'wechat' } } }],
      refuses: [
        {
          it: 'what is not bound',
          send: { body: { provider: 'linuxdo' } },
          code: 'sign_in.identity_unknown',
        },
        { it: 'no provider', send: { body: {} }, code: 'request.invalid_field', says: /provider/ },
      ],
    },
  ],
  stories: [
    {
      it: 'signs in, makes the account once, and binds with the message bind',
      run: async (stage) => {
        const { app, callers } = stage
        const first = await new Browser(app.url).through('github', 'g1')
        expect(first.body).toMatchObject({
          success: true,
          message: '',
          data: { username: expect.stringMatching(/^github_\d+$/), display_name: 'The Octocat' },
        })
        const second = await new Browser(app.url).through('github', 'g1')
        expect(second.body).toEqual(first.body)
        const user = new Browser(app.url, callers.user.sessionCookie)
        const bound = await user.through('linuxdo', 'l1')
        expect(bound).toMatchObject({ status: 200, body: { success: true, message: 'bind' } })
        expect(bound.body).not.toHaveProperty('data')
        expect((await user.through('linuxdo', 'l1')).body).toMatchObject({ message: 'bind' })
        expect((await user.through('github', 'g1')).body).toMatchObject({
          success: false,
          code: 'account.identity_taken',
        })
        expect(await callers.user.get('/api/user/self')).toMatchObject({ linux_do_id: '77' })
      },
    },
    {
      it: 'takes a state once',
      run: async ({ app }) => {
        const browser = new Browser(app.url)
        const { body } = await browser.get('/api/oauth/state')
        const { data } = body as { data: string }
        const path = `/api/oauth/github?code=g1&state=${data}`
        expect((await browser.get(path)).body).toMatchObject({ success: true })
        expect((await browser.get(path)).body).toMatchObject({ code: 'sign_in.state_invalid' })
      },
    },
    {
      it: 'lets no new account in while registration is off, and nobody while the provider is',
      run: async (stage) => {
        await stage.option('RegisterEnabled', 'false')
        expect((await new Browser(stage.app.url).through('github', 'g2')).body).toMatchObject({
          code: 'sign_in.registration_off',
        })
        await stage.option('RegisterEnabled', 'true')
        await stage.option('GitHubOAuthEnabled', 'false')
        expect((await new Browser(stage.app.url).through('github', 'g1')).body).toMatchObject({
          code: 'sign_in.provider_off',
        })
      },
    },
    {
      it: 'tells the banned and the deregistered apart',
      run: async (stage) => {
        const entered = await new Browser(stage.app.url).through('linuxdo', 'l2')
        const { id } = (entered.body as { data: { id: number } }).data
        const act = (action: string) => stage.callers.root.post('/api/user/manage', { id, action })
        await act('disable')
        expect((await new Browser(stage.app.url).through('linuxdo', 'l2')).body).toMatchObject({
          code: 'sign_in.banned',
        })
        await act('enable')
        await act('delete')
        expect((await new Browser(stage.app.url).through('linuxdo', 'l2')).body).toMatchObject({
          code: 'sign_in.deregistered',
        })
      },
    },
    {
      it: 'binds Telegram by a navigation that always leads back to the console',
      run: (stage) => bindTelegram(stage),
    },
    {
      it: 'takes no system access token where a browser must come itself',
      run: async ({ app, callers: { user } }) => {
        const authorization = await user.get<string>('/api/user/token')
        for (const path of ['/api/oauth/wechat/bind?code=1', '/api/oauth/email/bind']) {
          const headers = { authorization, 'New-Api-User': String(user.userId) }
          expect((await fetch(app.url + path, { headers })).status).toBe(401)
        }
      },
    },
  ],
}

async function bindTelegram({ app, callers }: Stage): Promise<void> {
  // What is signed counts once.
  let moment = Number(now()) - 60
  const sign = () => {
    moment += 1
    return new URLSearchParams(
      telegram({ id: '4242', first_name: 'Ada', auth_date: String(moment) }),
    ).toString()
  }
  const path = `/api/oauth/telegram/bind?${sign()}`
  expect(await new Browser(app.url).get(path)).toMatchObject({
    status: 302,
    location: '/login?expired=true',
  })
  const user = new Browser(app.url, callers.user.sessionCookie)
  expect(await user.get(path)).toMatchObject({ status: 302, location: '/setting' })
  const admin = new Browser(app.url, callers.admin.sessionCookie)
  const taken = await admin.get(`/api/oauth/telegram/bind?${sign()}`)
  expect(taken.status).toBe(302)
  expect(taken.location).toMatch(/^\/setting\?error=/)
  // The widget of older consoles adds the language, which is not signed.
  const login = await callers.anonymous.call('GET', `/api/oauth/telegram/login?${sign()}&lang=en`)
  expect(login).toMatchObject({ success: true, data: { id: callers.user.userId } })
}
