// The requests that a v0.6 console makes, screen by screen, and what it does with the answers. Two differences are on purpose: the list
// of GET /api/channel/models is next to the specification's map, and a change of the password asks for the old one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, startApp } from '../harness/app.ts'
import { type ScriptedUpstream, scriptedUpstream, sendJson } from '../harness/scripted-upstream.ts'
import { channelScreen } from './older-channel-screen.ts'
import { OlderConsole } from './older-console.ts'

const password = 'an older password'

let app: App
let upstream: ScriptedUpstream
let root: OlderConsole
let ada: OlderConsole

beforeAll(async () => {
  upstream = await scriptedUpstream()
  upstream.behave((response, { path }) =>
    sendJson(response, path.startsWith('/v1/models') ? { data: [{ id: 'gpt-4o' }] } : chat),
  )
  app = await startApp({ isWithin: true, isSetUp: false })
  root = new OlderConsole(app.url)
  ada = new OlderConsole(app.url)
})
afterAll(async () => {
  await app.close()
  await upstream.close()
})

const chat = {
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
}

type Row = Record<string, unknown> & { id: number; status: number }
interface Page {
  items: Row[]
  total: number
  page: number
}

describe('its first run', () => {
  it('is led to the wizard by the status, shows a refusal, and finishes', async () => {
    expect(await root.get('/api/status')).toMatchObject({ setup: false })
    expect(await root.get('/api/setup')).toMatchObject({
      status: false,
      root_init: false,
      database_type: 'sqlite',
    })
    const form = {
      username: ' ',
      password,
      confirmPassword: password,
      SelfUseModeEnabled: false,
      DemoSiteEnabled: false,
    }
    const refusals = [
      [{}, /username/],
      [{ username: 'root', confirmPassword: 'x' }, /do not match/],
      [{ username: 'root', password: '1234567', confirmPassword: '1234567' }, /at least 8/],
    ] as const
    for (const [change, message] of refusals) {
      const shown = await root.ask('POST', '/api/setup', { ...form, ...change })
      expect(shown).toMatchObject({ success: false, message: expect.stringMatching(message) })
    }
    const done = await root.ask('POST', '/api/setup', { ...form, username: ' root ' })
    expect(done).toMatchObject({ success: true, message: expect.stringMatching(/\S/) })
    expect(await root.get('/api/status')).toMatchObject({ setup: true })
    expect(await root.get('/api/setup')).toMatchObject({ status: true })
  })

  it('signs the super admin in, whose role opens the settings', async () => {
    await root.signIn('root', password)
    expect(root.user).toMatchObject({ username: 'root', role: 100, status: 1, group: 'default' })
    expect(await root.get('/api/user/self')).toMatchObject({
      display_name: 'Root User',
      quota: 100_000_000,
      DeletedAt: null,
    })
  })
})

interface Option {
  key: string
  value: string
}
const optionsNow = () => root.get<Option[]>('/api/option/')
const save = (key: string, value?: string) =>
  root.ask('PUT', '/api/option/', { key, ...(value === undefined ? {} : { value }) })

/** One call for each, all at once, as its system settings do. */
async function saveTogether(values: Record<string, string>): Promise<void> {
  const answers = await Promise.all(
    Object.entries(values).map(async ([key, value]) => ({ key, ...(await save(key, value)) })),
  )
  expect(answers.filter(({ success }) => !success)).toEqual([])
}

/** Indented anew by the text areas. */
function indented(value: string): string {
  return /^[[{]/.test(value) ? JSON.stringify(JSON.parse(value), null, 2) : value
}

describe('its settings', () => {
  it('save every option that is shown, one by one, as texts', async () => {
    const before = await optionsNow()
    expect(before.length).toBeGreaterThan(100)
    const refused: string[] = []
    for (const { key, value } of before) {
      const { success, message } = await save(key, indented(value))
      if (!success) refused.push(`${key}: ${message}`)
    }
    expect(refused).toEqual([])
    const after = await optionsNow()
    expect(after.map(({ key, value }) => [key, indented(value)])).toEqual(
      before.map(({ key, value }) => [key, indented(value)]),
    )
  })

  it('save the payment form at once, the key last', async () => {
    await saveTogether({
      ServerAddress: app.url,
      PayAddress: 'https://pay.example',
      EpayId: '1001',
      Price: '7.3',
      MinTopUp: '1',
      TopupGroupRatio: '{"default":1}',
      EpayKey: 'merchant-key',
    })
    expect(await root.get('/api/status')).toMatchObject({ enable_online_topup: true })
  })

  it('save OIDC at once, the secret before the address that it goes to', async () => {
    const site = 'https://login.example'
    await saveTogether({
      'oidc.well_known': `${site}/.well-known/openid-configuration`,
      'oidc.client_id': 'ours',
      'oidc.client_secret': 'hush',
      'oidc.authorization_endpoint': `${site}/authorize`,
      'oidc.token_endpoint': 'https://token.example/token',
      'oidc.user_info_endpoint': `${site}/me`,
    })
    const [secret, address] = ['a new secret', 'https://elsewhere.example/token']
    await save('oidc.client_secret', secret)
    expect(await save('oidc.token_endpoint', address)).toMatchObject({ success: true })
  })

  it('move the mail server with its password at the second press of the button', async () => {
    const form = { SMTPServer: 'mail.example', SMTPPort: '587', SMTPToken: 'hush' }
    await saveTogether(form)
    await save('SMTPServer', 'mail2.example')
    await save('SMTPToken', 'hush 2')
    await saveTogether({ ...form, SMTPServer: 'mail2.example', SMTPToken: 'hush 2' })
  })

  it('leave a secret alone that they send without a value', async () => {
    await save('TelegramBotToken', '123456:token')
    expect(await save('TelegramBotToken')).toMatchObject({ success: true })
    expect((await root.ask('GET', '/api/option/'))['secrets_set']).toContain('TelegramBotToken')
  })

  it('show the precondition of a switch that they cannot turn', async () => {
    const shown = await save('GitHubOAuthEnabled', 'true')
    expect(shown).toMatchObject({
      success: false,
      message: expect.stringMatching(/GitHubClientId/),
    })
  })

  it('save numbers as text, and the maps of the price editor at once', async () => {
    await saveTogether({ RetryTimes: '1', ChannelDisableThreshold: '5', QuotaForNewUser: '0' })
    await saveTogether({
      ModelPrice: '{\n  "dall-e-3": 0.04\n}',
      ModelRatio: '{\n  "gpt-4o": 1.25\n}',
      CompletionRatio: '{\n  "gpt-4o": 4\n}',
    })
    expect(await root.get<string[]>('/api/channel/models_enabled')).toBeInstanceOf(Array)
    await root.ok('POST', '/api/option/rest_model_ratio')
    await saveTogether({ ModelRatio: '{"gpt-4o":1.25}' })
  })
})

describe('its channel screen', () => {
  it.each(Object.entries(channelScreen))('%s', async (_title, run) => {
    await run({ root, upstream: upstream.url })
  })
})

describe('its account screens', () => {
  it('register with a code of nobody, and sign in', async () => {
    const form = {
      username: 'ada',
      password,
      password2: password,
      email: '',
      verification_code: '',
      wechat_verification_code: '',
      aff_code: null,
    }
    await ada.ok('POST', '/api/user/register?turnstile=', form)
    await ada.signIn('ada', password)
    expect(ada.user).toMatchObject({ role: 1, group: 'default' })
  })

  it('add, find, edit and manage a user', async () => {
    await root.ok('POST', '/api/user/', { username: 'bob', display_name: '', password })
    const path = '/api/user/search?keyword=bob&group=&p=0&page_size=10'
    const { items, total, page } = await root.get<Page>(path)
    expect({ total, page }).toEqual({ total: 1, page: 1 })
    const bob = await root.get<Row>(`/api/user/${items[0]!.id}`)
    const sent = { ...bob, password: '', quota: '900000', display_name: 'Bob' }
    await root.ok('PUT', '/api/user/', sent)
    expect(await root.get(`/api/user/${bob.id}`)).toMatchObject({
      quota: 900_000,
      display_name: 'Bob',
    })
    const steps = [
      ['promote', { role: 10, status: 1 }],
      ['demote', { role: 1, status: 1 }],
      ['disable', { role: 1, status: 2 }],
      ['enable', { role: 1, status: 1 }],
    ] as const
    for (const [action, after] of steps) {
      const shown = await root.ok('POST', '/api/user/manage', { id: bob.id, action })
      expect(shown).toMatchObject(after)
    }
    await root.ok('POST', '/api/user/manage', { id: bob.id, action: 'delete' })
    const gone = await root.get<Page>(path)
    expect(gone.items[0]!['DeletedAt']).toEqual(expect.any(String))
    expect((await root.get<Page>('/api/user/?p=0&page_size=10')).items.length).toBe(3)
  })

  it('show and change the own account', async () => {
    const self = await ada.get<Row>('/api/user/self')
    // It parses what is not empty, and reads names that it knows.
    expect(JSON.parse((self as { setting?: string }).setting || '{}')).not.toHaveProperty(
      'notify_type',
    )
    await ada.ok('PUT', '/api/user/self', { ...self, display_name: 'Ada' })
    expect(await ada.get<string>('/api/user/aff')).toMatch(/^\w{4,}$/)
    expect(await ada.get<string>('/api/user/token')).toMatch(/^\w{32}$/)
    const shown = await ada.ask('POST', '/api/user/aff_transfer', { quota: 500_000 })
    expect(shown).toMatchObject({ success: false, message: expect.stringMatching(/\S/) })
    const setting = {
      notify_type: 'email',
      quota_warning_threshold: 100_000,
      webhook_url: '',
      webhook_secret: '',
      notification_email: '',
      accept_unset_model_ratio_model: true,
    }
    await ada.ok('PUT', '/api/user/setting', setting)
    const { setting: kept } = await ada.get<{ setting: string }>('/api/user/self')
    expect(JSON.parse(kept)).toMatchObject({
      notify_type: 'email',
      quota_warning_threshold: 100_000,
    })
  })

  it('are told that a new password needs the old one, which they do not send', async () => {
    const shown = await ada.ask('PUT', '/api/user/self', { password: 'another password' })
    expect(shown).toMatchObject({
      success: false,
      message: expect.stringMatching(/current password/),
    })
  })
})

describe('its token screen', () => {
  it('creates a batch, lists from page 0 and finds', async () => {
    expect(await ada.get('/api/user/models')).toContain('gpt-4o')
    const groups =
      await ada.get<Record<string, { ratio: number; desc: string }>>('/api/user/self/groups')
    expect(groups['default']).toMatchObject({ ratio: expect.any(Number), desc: expect.any(String) })
    const form = {
      name: 'phone',
      remain_quota: 500_000,
      expired_time: -1,
      unlimited_quota: false,
      model_limits_enabled: false,
      model_limits: '',
      allow_ips: '',
      group: '',
    }
    await ada.ok('POST', '/api/token/', form)
    await ada.ok('POST', '/api/token/', { ...form, name: 'phone-a1B2c3' })
    const rows = await ada.get<Row[]>('/api/token/?p=0&size=10')
    expect(rows.map(({ name }) => name)).toEqual(['phone-a1B2c3', 'phone'])
    expect(await ada.get<Row[]>('/api/token/?p=1&size=10')).toEqual([])
    expect(await ada.get<Row[]>('/api/token/search?keyword=a1&token=')).toHaveLength(1)
  })

  it('edits with the whole record, toggles and deletes', async () => {
    const [row] = await ada.get<Row[]>('/api/token/?p=0&size=10')
    const loaded = await ada.get<Row>(`/api/token/${row!.id}`)
    const end = Math.ceil(Date.now() / 1000) + 3600
    const sent = { ...loaded, expired_time: end, model_limits: 'gpt-4o', allow_ips: null }
    expect(await ada.ok('PUT', '/api/token/', sent)).toMatchObject({
      expired_time: end,
      allow_ips: '',
    })
    for (const status of [2, 1]) {
      const body = { id: row!.id, status }
      expect(await ada.ok('PUT', '/api/token/?status_only=true', body)).toMatchObject({ status })
    }
    await ada.ok('DELETE', `/api/token/${row!.id}/`)
    expect(await ada.get<Row[]>('/api/token/?p=0&size=100')).toMatchObject([{ status: 1 }])
  })
})

describe('its wallet and codes', () => {
  it('make codes, find, edit and switch them', async () => {
    const codes = await root.ok<string[]>('POST', '/api/redemption/', {
      name: '$0.20',
      quota: 100_000,
      count: 2,
    })
    expect(codes).toHaveLength(2)
    const page = await root.get<Page>('/api/redemption/?p=0&page_size=10')
    expect(page).toMatchObject({ total: 2, page: 1 })
    const [row] = page.items
    const loaded = await root.get<Row>(`/api/redemption/${row!.id}`)
    await root.ok('PUT', '/api/redemption/', { ...loaded, name: 'renamed', quota: 200_000 })
    for (const status of [2, 1]) {
      const body = { id: row!.id, status }
      expect(await root.ok('PUT', '/api/redemption/?status_only=true', body)).toMatchObject({
        status,
      })
    }
    const found = await root.get<Page>('/api/redemption/search?keyword=ren&p=1&page_size=10')
    expect(found.items).toMatchObject([{ name: 'renamed', quota: 200_000 }])
    await root.ok('DELETE', `/api/redemption/${row!.id}/`)
    expect(await ada.ok('POST', '/api/user/topup', { key: codes[0] })).toBe(100_000)
  })

  it('tell the sum and the form by the message, and a failure by its data', async () => {
    const amount = await ada.ask('POST', '/api/user/amount', { amount: 10, top_up_code: '' })
    expect(amount).toMatchObject({ message: 'success', data: '73.00' })
    const order = { amount: 10, top_up_code: '', payment_method: 'zfb' }
    const paid = await ada.ask('POST', '/api/user/pay', order)
    expect(paid).toMatchObject({ message: 'success', url: 'https://pay.example/submit.php' })
    expect(paid.data).toMatchObject({ money: '73.00', type: 'alipay' })
    const low = await ada.ask('POST', '/api/user/amount', { amount: 0, top_up_code: '' })
    expect(low.message).not.toBe('success')
    expect(low.data).toMatch(/\S/)
  })
})

describe('its logs and figures', () => {
  it('show a turn of the playground, with rows that it can parse', async () => {
    await root.ok('PUT', '/api/user/', { id: ada.user?.id, quota: 5_000_000 })
    const turn = {
      messages: [
        { role: 'system', content: 'You help.' },
        { role: 'user', content: 'hi' },
      ],
      stream: true,
      model: 'gpt-4o',
      group: 'default',
      max_tokens: 0,
      temperature: 0.5,
    }
    expect((await ada.play(turn)).trimEnd()).toMatch(/\[DONE\]$/)
    const dates = `start_timestamp=${Math.floor(Date.now() / 1000) - 3600}&end_timestamp=${Math.floor(Date.now() / 1000) + 3600}`
    const own = await ada.get<Page>(
      `/api/log/self/?p=1&page_size=10&type=0&token_name=&model_name=&${dates}&group=`,
    )
    for (const { other } of own.items as { other?: string }[])
      expect(JSON.parse(other || '{}')).toBeTypeOf('object')
    expect(own.items.some(({ type }) => type === 2)).toBe(true)
    const stat = await ada.get(`/api/log/self/stat?type=0&token_name=&model_name=&${dates}&group=`)
    expect(stat).toMatchObject({ quota: expect.any(Number), rpm: 1, tpm: 15 })
    const filters = `username=ada&token_name=&model_name=&${dates}&channel=&group=`
    const all = await root.get<Page>(`/api/log/?p=1&page_size=10&type=2&${filters}`)
    expect(all.items).toMatchObject([
      { username: 'ada', model_name: 'gpt-4o', channel_name: 'first' },
    ])
    expect(await root.get(`/api/log/stat?type=2&${filters}`)).toMatchObject({ rpm: 1 })
  })

  it('list drawings, tasks and hours, and clear the log', async () => {
    const ms = `start_timestamp=${Date.now() - 86_400_000}&end_timestamp=NaN`
    expect(await root.get(`/api/mj/?p=0&channel_id=&mj_id=&${ms}`)).toEqual([])
    expect(await ada.get(`/api/mj/self/?p=0&mj_id=&${ms}`)).toEqual([])
    expect(
      await root.get('/api/task/?p=0&channel_id=&task_id=&start_timestamp=1&end_timestamp=NaN'),
    ).toEqual([])
    expect(
      await ada.get('/api/task/self?p=0&task_id=&start_timestamp=1&end_timestamp=NaN'),
    ).toEqual([])
    const now = Math.floor(Date.now() / 1000)
    const span = `start_timestamp=${now - 86_400}&end_timestamp=${now + 3600}&default_time=hour`
    expect(await root.get(`/api/data/?username=&${span}`)).toBeInstanceOf(Array)
    expect(await ada.get(`/api/data/self/?${span}`)).toBeInstanceOf(Array)
    expect(await root.ok('DELETE', '/api/log/?target_timestamp=1600000000')).toBe(0)
  })

  it('show prices, pages and links to a visitor', async () => {
    const visitor = new OlderConsole(app.url)
    const pricing = await visitor.ask('GET', '/api/pricing')
    const rows = pricing.data as { enable_groups: string[]; model_ratio: number }[]
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) {
      expect(row.enable_groups).toBeInstanceOf(Array)
      expect(row.model_ratio.toFixed(2)).toMatch(/\d/)
    }
    expect(pricing).toMatchObject({
      group_ratio: expect.anything(),
      usable_group: expect.anything(),
    })
    for (const page of ['notice', 'about', 'home_page_content'])
      expect(await visitor.get<string>(`/api/${page}`)).toBeTypeOf('string')
    const status = await visitor.get<{ chats: unknown[] }>('/api/status')
    expect(status.chats).toBeInstanceOf(Array)
  })
})

describe('its way out', () => {
  it('deletes the own account and signs out, and is nobody then', async () => {
    await ada.ok('DELETE', '/api/user/self')
    await ada.signOut()
    const answer = await fetch(`${app.url}/api/user/self`, { headers: { 'New-API-User': '-1' } })
    expect(answer.status).toBe(401)
  })
})
