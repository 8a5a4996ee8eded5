// The option routes of a whole gateway: what the settings page is drawn from, and keys of plugins that are off.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addChannel, addCustomer, type App, fakeUpstream, startApp } from '#test'
import { ApiClient } from '../../harness/api-client.ts'
import { customerPassword } from '../../harness/shop.ts'

let app: App

beforeAll(async () => {
  app = await startApp({ isWithin: true })
})

afterAll(() => app.close())

interface Group {
  owner: string
  schema: { properties: Record<string, Record<string, unknown>> }
}

const put = (key: string, value: string) => app.root.call('PUT', '/api/option/', { key, value })
const valueOf = async (key: string) => {
  const rows = await app.root.get<{ key: string; value: string }[]>('/api/option/')
  return rows.find((row) => row.key === key)?.value
}
const enable = (id: string, enabled: boolean) => app.root.put('/api/plugin/', { id, enabled })

describe('the schema of all options', () => {
  it('names the owner, the place and the default of each, and no value of a secret', async () => {
    await put('WorkerValidKey', 'very-secret-value')
    const groups = await app.root.get<Group[]>('/api/option/schema')
    expect(JSON.stringify(groups)).not.toContain('very-secret-value')
    const core = groups.find(({ owner }) => owner === 'core')?.schema.properties
    expect(core?.['RetryTimes']).toMatchObject({
      type: 'integer',
      default: 0,
      'x-ui': { tab: 'operation', section: 'general' },
    })
    expect(groups.find(({ owner }) => owner === 'chat-links')?.schema.properties).toHaveProperty(
      'Chats',
    )
  })

  it('offers the groups and models that there are where some of them are named', async () => {
    const { url, close } = await fakeUpstream()
    await addChannel(app.root, { base_url: url, models: 'm-offered' })
    for (const id of ['pii-masking', 'response-cache']) await enable(id, true)
    const groups = await app.root.get<Group[]>('/api/option/schema')
    const properties = new Map(groups.flatMap(({ schema }) => Object.entries(schema.properties)))
    for (const [key, offered] of [
      ['PiiMaskingGroups', 'default'],
      ['PiiMaskingModels', 'm-offered'],
      ['ResponseCacheGroups', 'default'],
      ['ResponseCacheModels', 'm-offered'],
    ] as const) {
      const ui = properties.get(key)?.['x-ui'] as { choicesFrom: string } | undefined
      expect(await app.root.get(ui?.choicesFrom ?? ''), key).toContain(offered)
    }
    await close()
  })

  it('is for administrators only', async () => {
    const customer = await addCustomer(app.root, 'curious', 0)
    const user = await new ApiClient(app.url).signIn(customer.username, customerPassword)
    const refused = await user.call('GET', '/api/option/schema')
    expect(refused.success).toBe(false)
    expect(refused.data).toBeUndefined()
    expect((await fetch(`${app.url}/api/option/schema`)).status).toBe(401)
  })
})

describe('addresses among the options', () => {
  it.each([
    ['ServerAddress', 'gateway.example.com'],
    ['ServerAddress', '/here'],
    ['WorkerUrl', 'ftp://worker.example.com'],
    ['general_setting.docs_link', 'javascript:alert(1)'],
    ['general_setting.monitor_link', '//elsewhere.example.com'],
    ['general_setting.token_query_link', 'data:text/html,x'],
    ['TopUpLink', 'javascript:alert(1)'],
    ['PayAddress', 'pay.example.com'],
    ['WeChatServerAddress', 'ftp://wechat.example.com'],
    ['ChatLink', 'https://'],
    ['oidc.token_endpoint', '//id.example.com/token'],
    ['Logo', 'our logo'],
    ['Logo', 'http://l.example/l.png'],
    ['Logo', '//l.example/l.png'],
  ])('%s refuses %s and keeps what it had', async (key, value) => {
    const before = await valueOf(key)
    const refused = await put(key, value)
    expect(refused).toMatchObject({ success: false, code: 'options.invalid_value' })
    expect(refused.message).toContain(key)
    expect(await valueOf(key)).toBe(before)
  })

  it('may be emptied, and links may lead to a page of this console', async () => {
    expect(await put('general_setting.docs_link', '/docs')).toMatchObject({ success: true })
    expect(await put('general_setting.docs_link', '')).toMatchObject({ success: true })
    expect(await put('ServerAddress', 'https://gate.example.com/')).toMatchObject({ success: true })
    expect(await valueOf('ServerAddress')).toBe('https://gate.example.com')
    expect(await put('ServerAddress', '')).toMatchObject({ success: true })
  })

  it.each(['TopUpLink', 'PayAddress', 'WeChatServerAddress', 'ChatLink', 'oidc.token_endpoint'])(
    '%s may be written in capitals, and emptied',
    async (key) => {
      expect(await put(key, 'HTTPS://Shop.example.com/top')).toMatchObject({ success: true })
      expect(await put(key, '')).toMatchObject({ success: true })
    },
  )
})

describe('an option of a plugin that is off', () => {
  it('is hidden, refuses to be written and says why, and keeps its value', async () => {
    await put('SensitiveWords', 'kept')
    await enable('sensitive-words', false)
    expect(await valueOf('SensitiveWords')).toBeUndefined()
    const refused = await put('SensitiveWords', 'lost')
    expect(refused).toMatchObject({ success: false, code: 'options.owner_off' })
    expect(refused.message).toContain('sensitive-words')
    await enable('sensitive-words', true)
    expect(await valueOf('SensitiveWords')).toBe('kept')
  })

  it('refuses also when the gateway was started without the plugin', async () => {
    await enable('chat-links', false)
    await app.restart()
    const refused = await put('Chats', '[]')
    expect(refused).toMatchObject({ success: false, code: 'options.owner_off' })
    expect(await valueOf('Chats')).toBeUndefined()
    await enable('chat-links', true)
    expect(await put('Chats', '[]')).toMatchObject({ success: true })
  })

  it('is told from a key that nobody here knows, which would change nothing', async () => {
    const refused = await put('SomethingNewer.setting', 'x')
    expect(refused).toMatchObject({ success: false, code: 'options.unknown_key' })
    expect(refused.message).toContain('SomethingNewer.setting')
    expect(await valueOf('SomethingNewer.setting')).toBeUndefined()
  })
})
