import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Type } from '@sinclair/typebox'
import { defineAdapter, type HttpClient, type Job, type Notice, type Usage } from '#core'
import { createPluginApp, type InjectClient, type PluginApp } from '#test'
import { createChannels, type Channels } from '../../core/channels/channels.ts'
import { quietLog } from '../../test/harness/databases.ts'
import { channelJobs } from './jobs.ts'
import channelsPlugin from './index.ts'

const password = 'correct horse'
const secretKey = 'sk-a-very-secret-key'
const body = { type: 1, name: 'one', key: secretKey, models: 'm', group: 'default' }

const adapters = [
  defineAdapter({
    id: 'sample',
    summary: 'a sample provider',
    channelTypes: { 1: 'Sample', 8: { name: 'Custom', models: [] } },
    baseUrl: 'https://sample.example',
    models: ['m', 'n'],
    operations: { chat: { dialects: ['openai-chat'], endpoint: () => ({ url: '', headers: {} }) } },
    fetchBalance: async () => 12.5,
    fetchModels: async () => ['x', 'y'],
    settings: Type.Object({
      depth: Type.Optional(Type.Integer({ minimum: 1 })),
      page: Type.Optional(Type.String({ format: 'uri', maxLength: 20 })),
      proof: Type.Optional(
        Type.Union([Type.Literal('none'), Type.String({ format: 'uri', maxLength: 20 })]),
      ),
      tone: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['low', 'high'] })),
    }),
  }),
  defineAdapter({
    id: 'other',
    summary: 'another provider',
    channelTypes: { 14: 'Other' },
    baseUrl: 'https://other.example',
    models: ['n', 'o'],
    operations: {},
    isTestable: false,
    ownedBy: 'the owner',
  }),
]

let app: PluginApp
let channels: Channels
let admin: InjectClient
let ada: InjectClient
let notices: Notice[]
let probeFails: boolean

beforeAll(async () => {
  app = await createPluginApp({
    plugins: [channelsPlugin],
    services: async (made) => {
      channels = createChannels({
        ...made,
        http: {} as HttpClient,
        adapters: () => adapters,
        log: quietLog,
      })
      channels.useProbe({
        test: async () =>
          probeFails
            ? { error: { message: 'broken' } }
            : { usage: { input: 1, output: 1 } as Usage },
      })
      return {
        channels,
        notifications: {
          notify: () => Promise.reject(new Error('admins alone are told')),
          ways: () => [],
          notifyAdmins: async (notice) => void notices.push(notice),
        },
      }
    },
  })
  for (const [username, role] of [
    ['root', 100],
    ['admin', 10],
    ['ada', 1],
  ] as const) {
    await app.accounts.create({ username, password, role, by: 'admin' })
  }
  admin = await caller('admin')
  ada = await caller('ada')
})
afterAll(async () => {
  await channels.close()
  await app.close()
})
beforeEach(() => {
  notices = []
  probeFails = false
})
afterEach(async () => {
  const rows = await app.database.select<{ id: number }>('SELECT id FROM channels')
  if (rows.length > 0) await channels.remove(rows.map(({ id }) => id))
})

async function caller(name: string): Promise<InjectClient> {
  return app.signedIn((await app.accounts.findByLogin(name))!.id)
}

async function add(fields: object = {}): Promise<number> {
  const answer = await admin.call<number[]>('POST', '/api/channel/', { ...body, ...fields })
  expect(answer).toMatchObject({ success: true, message: '' })
  return answer.data[0]!
}

describe('who may manage channels', () => {
  it.each([
    ['GET', '/api/channel/'],
    ['GET', '/api/channel/search'],
    ['GET', '/api/channel/1'],
    ['POST', '/api/channel/'],
    ['PUT', '/api/channel/'],
    ['DELETE', '/api/channel/1/'],
    ['DELETE', '/api/channel/disabled'],
    ['POST', '/api/channel/batch'],
    ['POST', '/api/channel/batch/tag'],
    ['POST', '/api/channel/batch/status'],
    ['PUT', '/api/channel/tag'],
    ['POST', '/api/channel/tag/enabled'],
    ['POST', '/api/channel/tag/disabled'],
    ['POST', '/api/channel/fix'],
    ['POST', '/api/channel/copy/1'],
    ['POST', '/api/channel/1/keys/enable'],
    ['POST', '/api/channel/1/keys/remove'],
    ['GET', '/api/channel/test/1'],
    ['GET', '/api/channel/test'],
    ['GET', '/api/channel/update_balance/1/'],
    ['GET', '/api/channel/update_balance'],
    ['GET', '/api/channel/runs'],
    ['POST', '/api/channel/runs/stop'],
    ['GET', '/api/channel/fetch_models/1'],
    ['POST', '/api/channel/fetch_models'],
    ['GET', '/api/channel/models'],
    ['GET', '/api/channel/models_enabled'],
    ['GET', '/api/channel/tags'],
    ['POST', '/api/channel/models_unpriced'],
    ['GET', '/api/channel/types'],
    ['GET', '/api/channel/settings'],
  ] as const)('refuses a normal user and a visitor %s %s', async (method, url) => {
    expect(await ada.call(method, url)).toMatchObject({ status: 200, code: 'access.role_too_low' })
    expect((await app.client().call(method, url)).status).toBe(401)
  })
})

describe('channel calls', () => {
  it('never answers with a key', async () => {
    const id = await add({ tag: 't' })
    const answers = await Promise.all([
      admin.call('GET', '/api/channel/'),
      admin.call('GET', '/api/channel/?tag_mode=true'),
      admin.call('GET', `/api/channel/search?keyword=${secretKey}`),
      admin.call('GET', `/api/channel/${id}`),
      admin.call('PUT', '/api/channel/', { id, status: 2 }),
    ])
    for (const answer of answers) expect(answer.success).toBe(true)
    expect(JSON.stringify(answers)).not.toContain(secretKey)
  })

  it('shows a key to the super admin alone, who has lately proved who sits there, and writes it down', async () => {
    const id = await add()
    const path = `/api/channel/${id}/key`
    const refused = { success: false, code: 'access.role_too_low' }
    expect(await admin.call('POST', path)).toMatchObject(refused)
    expect((await app.client().call('POST', path)).status).toBe(401)
    const root = await app.accounts.create({ username: 'boss', role: 100, by: 'admin' })
    const stale = await app.signedIn(root.id, { isFresh: false })
    expect(await stale.call('POST', path)).toMatchObject({ code: 'auth.proof_needed' })
    const fresh = await app.signedIn(root.id)
    expect(await fresh.call('POST', path)).toMatchObject({ data: { key: secretKey } })
    expect(await fresh.call('POST', '/api/channel/98765/key')).toMatchObject({
      code: 'channel.not_found',
    })
    await app.ledger.flush()
    const rows = await app.database.select<{ content: string; username: string }>(
      'SELECT content, username FROM logs WHERE type = 3',
    )
    expect(rows.filter(({ content }) => content.includes(`channel ${id} `))).toMatchObject([
      { username: 'boss' },
    ])
    expect(JSON.stringify(rows)).not.toContain(secretKey)
  })

  it('pages from 0 with ten rows by default and tells the count in a header', async () => {
    await add({ key: Array.from({ length: 12 }, (_, n) => `sk-${n}`).join('\n') })
    const first = await admin.call<unknown[]>('GET', '/api/channel/?p=0&page_size=0&id_sort=true')
    expect(first.data).toHaveLength(10)
    expect(first.headers['x-total-count']).toBe('12')
    const next = await admin.call<unknown[]>('GET', '/api/channel?p=1&page_size=10')
    expect(next.data).toHaveLength(2)
    const odd = await admin.call<unknown[]>('GET', '/api/channel/?p=x&page_size=-5&tag_mode=no')
    expect(odd.data).toHaveLength(10)
  })

  it('changes one field by a small form and answers the row', async () => {
    const id = await add()
    const answer = await admin.call('PUT', '/api/channel/', { id, status: 2 })
    expect(answer).toMatchObject({ success: true, data: { id, status: 2, name: 'one', key: '' } })
    const edited = await admin.call('PUT', '/api/channel/', {
      ...(answer.data as object),
      groups: ['default'],
      max_input_tokens: null,
      created_time: null,
      priority: '4',
    })
    expect(edited).toMatchObject({ success: true, data: { priority: 4, status: 2 } })
  })

  it('keeps what another has changed since a page read it, and takes what he left alone', async () => {
    const id = await add({ setting: '{"proxy":"socks5://a.test"}' })
    const { data: read } = await admin.call<Record<string, unknown>>('GET', `/api/channel/${id}`)
    const edit = (changes: object, shown?: object) =>
      admin.call('PUT', '/api/channel/', { id, ...changes, ...(shown ? { shown } : {}) })
    const { models, setting, name } = read ?? {}
    expect(await edit({ models: 'a,b' }, { models, setting })).toMatchObject({ success: true })
    expect(await edit({ models: 'c' }, { models })).toMatchObject({
      success: false,
      code: 'channel.changed',
      values: { field: 'models' },
    })
    expect(await edit({ name: 'two' }, { name })).toMatchObject({
      data: { name: 'two', models: 'a,b' },
    })
    // A script, or the console of an earlier version.
    expect(await edit({ models: 'd' })).toMatchObject({ data: { models: 'd' } })
  })

  it.each([
    { method: 'POST', url: '/api/channel/', sent: { ...body, weight: {} }, names: 'weight' },
    { method: 'POST', url: '/api/channel/', sent: { ...body, name: 7 }, names: 'name' },
    { method: 'POST', url: '/api/channel/', sent: [body], names: 'body' },
    { method: 'PUT', url: '/api/channel/', sent: { id: '1 OR 1=1' }, names: 'id' },
    { method: 'POST', url: '/api/channel/batch', sent: { ids: ['1'] }, names: 'ids' },
    { method: 'POST', url: '/api/channel/batch', sent: {}, names: 'ids' },
    { method: 'POST', url: '/api/channel/batch', sent: { ids: [] }, names: 'ids' },
    { method: 'GET', url: '/api/channel/not-a-number', sent: undefined, names: 'id' },
  ] as const)('refuses $method $url naming $names', async ({ method, url, sent, names }) => {
    const answer = await admin.call(method, url, sent)
    expect(answer).toMatchObject({ status: 200, success: false })
    expect(answer.message).toContain(names)
  })

  it('refuses a value that its adapter cannot read, and names the setting', async () => {
    const wrong = { setting: '{"depth":"deep"}' }
    const refusal = { success: false, code: 'channel.setting_invalid' }
    const adding = await admin.call('POST', '/api/channel/', { ...body, ...wrong })
    expect(adding).toMatchObject({ ...refusal, values: { field: 'setting.depth' } })
    const id = await add({ setting: '{"depth":2}' })
    expect(await admin.call('PUT', '/api/channel/', { id, ...wrong })).toMatchObject(refusal)
    const moved = await admin.call('PUT', '/api/channel/', { id, type: 14, key: 'k', ...wrong })
    expect(moved).toMatchObject({ success: true })
  })

  it('takes values of kinds that only their adapter can check', async () => {
    await add({ setting: '{"page":"https://a.example","proof":"https://b.example","tone":"low"}' })
    for (const name of ['page', 'proof']) {
      const long = { setting: `{"${name}":"https://${'a'.repeat(20)}.example"}` }
      const adding = await admin.call('POST', '/api/channel/', { ...body, ...long })
      expect(adding).toMatchObject({ values: { field: `setting.${name}` } })
    }
  })

  it('refuses in the language of the caller', async () => {
    const headers = {
      authorization: await app.accounts.newAccessToken(admin.userId),
      'new-api-user': String(admin.userId),
      'accept-language': 'zh-CN',
    }
    const response = await app.app.inject({ url: '/api/channel/12345', headers })
    expect(response.json()).toMatchObject({ success: false, message: '渠道 12345 不存在。' })
  })

  it('deletes one, many and all disabled channels', async () => {
    const ids = [await add(), await add(), await add(), await add()]
    expect(await admin.call('DELETE', `/api/channel/${ids[0]}/`)).toMatchObject({ success: true })
    expect(await admin.call('DELETE', `/api/channel/${ids[0]}/`)).toMatchObject({ success: true })
    expect(await admin.call('POST', '/api/channel/batch', { ids: [ids[1]] })).toMatchObject({
      data: 1,
    })
    await admin.call('PUT', '/api/channel/', { id: ids[2], status: 2 })
    expect(await admin.call('DELETE', '/api/channel/disabled')).toMatchObject({ data: 1 })
    expect((await admin.call<unknown[]>('GET', '/api/channel/')).data).toHaveLength(1)
    expect(await admin.call('POST', '/api/channel/fix')).toMatchObject({ data: 1 })
  })

  it.each([{ new_tag: 'a\u202eb' }, { groups: 'v\u200bip' }, { weight: -1 }])(
    'names the field of a tag that it refuses: %j',
    async (edit) => {
      await add({ tag: 't' })
      const answer = await admin.call('PUT', '/api/channel/tag', { tag: 't', ...edit })
      expect(answer).toMatchObject({ success: false, values: { field: Object.keys(edit)[0] } })
    },
  )

  it('switches several channels with one call, and says how many have changed', async () => {
    const ids = [await add(), await add(), await add()]
    const switchTo = (status: unknown, some = ids) =>
      admin.call('POST', '/api/channel/batch/status', { ids: some, status })
    expect(await switchTo(2, ids.slice(1))).toMatchObject({ data: 2 })
    expect(await switchTo(1, ids)).toMatchObject({ data: 2 })
    expect(await switchTo(1, ids)).toMatchObject({ data: 0 })
    expect(await switchTo(3)).toMatchObject({ success: false, values: { field: 'status' } })
    expect(await switchTo(1, [])).toMatchObject({ code: 'channel.ids_missing' })
  })

  it('works on tags', async () => {
    const id = await add()
    const ids = { ids: [id], tag: 't' }
    expect(await admin.call('POST', '/api/channel/batch/tag', ids)).toMatchObject({ data: 1 })
    await admin.call('POST', '/api/channel/tag/disabled', { tag: 't' })
    const edit = { tag: 't', new_tag: 'u', models: 'a,b', groups: 'vip', priority: 2, weight: null }
    expect(await admin.call('PUT', '/api/channel/tag', edit)).toMatchObject({ success: true })
    expect(await admin.call('GET', `/api/channel/${id}`)).toMatchObject({
      data: { tag: 'u', status: 2, models: 'a,b', group: 'vip', priority: 2 },
    })
    await admin.call('POST', '/api/channel/tag/enabled', { tag: 'u' })
    expect(await admin.call('GET', '/api/channel/models_enabled')).toMatchObject({
      data: ['a', 'b'],
    })
    expect(await admin.call('PUT', '/api/channel/tag', { tag: '' })).toMatchObject({
      success: false,
      code: 'channel.tag_missing',
    })
  })

  it('copies a channel', async () => {
    const id = await add()
    const copy = await admin.call<number>('POST', `/api/channel/copy/${id}`)
    expect(await admin.call('GET', `/api/channel/${copy.data}`)).toMatchObject({
      data: { name: 'one copy' },
    })
  })
})

describe('calls to the upstream', () => {
  it('answers the seconds of a test beside the data, good or bad', async () => {
    const id = await add()
    const good = await admin.call('GET', `/api/channel/test/${id}?model=m`)
    expect(good).toMatchObject({ success: true, message: '', time: expect.any(Number) })
    probeFails = true
    const bad = await admin.call('GET', `/api/channel/test/${id}`)
    expect(bad).toMatchObject({ success: false, message: 'broken', time: expect.any(Number) })
  })

  it('answers the balance beside the data, or that there is none', async () => {
    const id = await add()
    const url = `/api/channel/update_balance/${id}/`
    expect(await admin.call('GET', url)).toMatchObject({ success: true, balance: 12.5 })
    const other = await add({ type: 14 })
    expect(await admin.call('GET', `/api/channel/update_balance/${other}`)).toMatchObject({
      status: 200,
      success: false,
      code: 'channel.balance_unsupported',
    })
    expect(await admin.call('GET', '/api/channel/update_balance')).toMatchObject({ success: true })
  })

  it('fetches models of a stored channel and of one not saved yet', async () => {
    const id = await add()
    const stored = await admin.call('GET', `/api/channel/fetch_models/${id}`)
    const target = { type: 1, base_url: '', key: 'sk-x' }
    const unsaved = await admin.call('POST', '/api/channel/fetch_models', target)
    expect([stored.data, unsaved.data]).toEqual([
      ['x', 'y'],
      ['x', 'y'],
    ])
    const without = { ...target, key: null }
    expect(await admin.call('POST', '/api/channel/fetch_models', without)).toMatchObject({
      status: 200,
      success: false,
      code: 'channel.field_missing',
    })
  })
})

describe('what the adapters can do', () => {
  it('maps types to models for users, with a flat list without repetitions for admins', async () => {
    const map = { 1: ['m', 'n'], 8: [], 14: ['n', 'o'] }
    expect((await ada.call('GET', '/api/models')).data).toEqual(map)
    const answer = (await admin.call('GET', '/api/channel/models')) as unknown as {
      data: object
      models: { id: string; owned_by: string }[]
    }
    expect(answer.data).toEqual(map)
    expect(answer.models.map((model) => [model.id, model.owned_by])).toEqual([
      ['m', 'sample'],
      ['n', 'sample'],
      ['o', 'the owner'],
    ])
  })

  it('tells which of the named models have no price, each once', async () => {
    const unpriced = async (...models: string[]) =>
      (await admin.call('POST', '/api/channel/models_unpriced', { models })).data
    expect(await unpriced('m', 'gpt-4o', 'gpt-4-gizmo-x', 'm')).toEqual(['m'])
    await app.options.set('ModelPrice', '{"m":0.1}')
    expect(await unpriced('m', 'n')).toEqual(['n'])
    expect(await unpriced()).toEqual([])
  })

  it('describes the types for the channel form', async () => {
    const answer = await admin.call('GET', '/api/channel/types')
    expect(answer.data).toMatchObject([
      { type: 1, name: 'Sample', adapter: 'sample', is_testable: true, has_balance: true },
      { type: 8, name: 'Custom', models: [] },
      { type: 14, name: 'Other', base_url: 'https://other.example', is_testable: false },
    ])
  })
})

describe('what happens without an admin', () => {
  it('tells the admins of an automatic change, with cause and link, and of a finished test', async () => {
    const id = await add()
    await app.options.set('ServerAddress', 'https://gate.test')
    const link = `https://gate.test/channel?keyword=${id}`
    await channels.setAutomatic(id, 3, 'no money')
    await channels.setAutomatic(id, 1, '')
    await admin.call('GET', '/api/channel/test')
    await expect.poll(() => notices).toHaveLength(3)
    expect(notices).toMatchObject([
      { kind: `channel_update_${id}_3`, values: ['one', String(id), 'no money', link, link] },
      { kind: `channel_update_${id}_1`, values: ['one', String(id)] },
      { kind: 'channel_test', values: ['1', '0'] },
    ])
  })

  it('writes an automatic change down once, without keys, where admins alone see it', async () => {
    const id = await add()
    await Promise.all([1, 2].map(() => channels.setAutomatic(id, 3, `bad key ${secretKey}`)))
    await channels.setAutomatic(id, 1, '')
    await app.ledger.flush()
    const rows = await app.database.select<Record<string, unknown>>(
      'SELECT type, user_id, content, other FROM logs WHERE channel_id = :id ORDER BY id',
      { id },
    )
    expect(rows).toMatchObject([
      { type: 4, user_id: 0, content: expect.stringContaining('bad key') },
      { type: 4, user_id: 0, content: expect.stringContaining('enabled') },
    ])
    expect(JSON.stringify(rows)).not.toContain(secretKey)
  })

  it.each([
    { minutes: '0', everyMs: 60_000, tested: 0 },
    { minutes: '30', everyMs: 1_800_000, tested: 1 },
  ])('tests every $minutes minutes, 0 being never', async ({ minutes, everyMs, tested }) => {
    await app.options.set('ChannelTestFrequency', minutes)
    await add()
    const begun = vi.spyOn(channels, 'testAll')
    const [job] = channelJobs({ ...app, channels } as never) as [Job]
    await job.run(new AbortController().signal)
    expect(begun).toHaveBeenCalledTimes(tested)
    await expect.poll(() => notices).toHaveLength(tested)
    expect(typeof job.everyMs === 'function' && job.everyMs()).toBe(everyMs)
  })
})
