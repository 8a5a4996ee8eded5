// Part 2, 8: the usage log, for admins and for owners.
import { Type } from '@sinclair/typebox'
import { expect } from 'vitest'
import { addChannel, setPrice } from '../../harness/shop.ts'
import { logRow, logStat, ownLogRow, paged } from '../shapes.ts'
import type { Stage } from '../stage.ts'
import type { Call, Room } from '../table.ts'

let key = ''
let channelId = 0

/** As the form of an older console sends it while its dates are empty. */
const filters = {
  p: 1,
  page_size: 10,
  type: 0,
  username: '',
  token_name: '',
  model_name: '',
  start_timestamp: 'NaN',
  end_timestamp: 'undefined',
  channel: '',
  group: '',
}

export async function chat(stage: Stage, secret: string): Promise<Response> {
  const response = await fetch(`${stage.app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'log-model', messages: [{ role: 'user', content: 'hi' }] }),
  })
  await response.text()
  return response
}

const reading: readonly Call[] = [
  {
    method: 'GET',
    path: '/api/log/',
    access: 'admin',
    answers: [
      {
        it: 'answers a page, whatever empty inputs send',
        send: { query: filters },
        data: paged(logRow),
      },
    ],
  },
  {
    method: 'GET',
    path: '/api/log/self',
    access: 'user',
    answers: [
      { it: 'answers a page of the own rows', send: { query: filters }, data: paged(ownLogRow) },
    ],
  },
  {
    method: 'GET',
    path: '/api/log/stat',
    access: 'admin',
    answers: [{ it: 'answers three sums', send: { query: filters }, data: logStat }],
  },
  {
    method: 'GET',
    path: '/api/log/self/stat',
    access: 'user',
    answers: [{ it: 'answers three sums', send: { query: filters }, data: logStat }],
  },
  {
    method: 'GET',
    path: '/api/log/search',
    access: 'admin',
    answers: [
      { it: 'answers a bare array', send: { query: { keyword: '2' } }, data: Type.Array(logRow) },
    ],
  },
  {
    method: 'GET',
    path: '/api/log/self/search',
    access: 'user',
    answers: [
      {
        it: 'answers a bare array',
        send: { query: { keyword: '2' } },
        data: Type.Array(ownLogRow),
      },
    ],
  },
  {
    method: 'GET',
    path: '/api/log/token',
    access: 'public',
    answers: [
      {
        it: 'answers the rows of the key',
        send: () => ({ query: { key } }),
        data: Type.Array(ownLogRow, { minItems: 2 }),
      },
      {
        it: 'answers nothing for a key that is unknown',
        send: { query: { key: 'sk-x' } },
        data: Type.Array(ownLogRow, { maxItems: 0 }),
      },
    ],
  },
]

interface Row {
  id: number
  type: number
  username: string
  quota: number
  channel: number
  other: string
  content: string
}

const list = async ({ callers: { admin } }: Stage, query: string) =>
  (await admin.get<{ items: Row[] }>(`/api/log/?${query}`)).items

export const logsRoom: Room = {
  subject: 'the usage log',
  dependsOnSql: true,
  prepare: async (stage) => {
    const { app, callers, upstream } = stage
    channelId = await addChannel(app.root, {
      base_url: upstream.url,
      models: 'log-model',
      name: 'logged',
    })
    await setPrice(app.root, 'log-model', 1)
    await app.root.put('/api/user/', { id: callers.user.userId, quota: 5_000_000 })
    const token = { name: 'logged token', unlimited_quota: true, expired_time: -1 }
    key = `sk-${(await callers.user.post<{ key: string }>('/api/token/', token)).key}`
    expect((await chat(stage, key)).status).toBe(200)
    expect((await chat(stage, key)).status).toBe(200)
  },
  calls: reading,
  stories: [
    {
      it: 'pages from 1, newest first, at most 100 rows',
      run: async ({ callers: { admin } }) => {
        const page = (query: string) => admin.get<{ items: Row[] }>(`/api/log/?${query}`)
        const first = await page('p=0&page_size=1')
        expect(first).toMatchObject({ page: 1, page_size: 1 })
        const second = await page('p=2&page_size=1')
        expect(second.items[0]!.id).toBeLessThan(first.items[0]!.id)
        expect(await page('page_size=100000')).toMatchObject({ page_size: 100 })
      },
    },
    {
      it: 'filters by each field; a model name is a pattern as typed',
      run: async (stage) => {
        const count = async (query: string) => (await list(stage, `type=2&${query}`)).length
        expect(await count('token_name=logged token')).toBe(2)
        expect(await count('token_name=logged')).toBe(0)
        expect(await count('username=contract-user&group=default')).toBe(2)
        expect(await count('model_name=log-model')).toBe(2)
        expect(await count('model_name=log')).toBe(0)
        expect(await count('model_name=%25OG-mod%25')).toBe(2)
        expect(await count(`channel=${channelId}`)).toBe(2)
        expect(await count('channel=98765')).toBe(0)
        const now = Math.floor(Date.now() / 1000)
        expect(
          await count(
            `username=contract-user&start_timestamp=${now - 600}&end_timestamp=${now + 600}`,
          ),
        ).toBe(2)
        expect(await count(`username=contract-user&end_timestamp=${now - 600}`)).toBe(0)
      },
    },
    {
      it: 'keeps channels and who tried from the owner, and his filters to his own rows',
      run: async (stage) => {
        const { user } = stage.callers
        const admins = (await list(stage, 'type=2&username=contract-user'))[0]!
        expect(admins).toMatchObject({ channel: channelId, channel_name: 'logged' })
        expect(JSON.parse(admins.other)).toMatchObject({
          model_ratio: 1,
          group_ratio: 1,
          completion_ratio: 1,
          model_price: -1,
          frt: expect.any(Number),
          cache_tokens: 0,
          admin_info: { use_channel: [String(channelId)] },
        })
        const path = `/api/log/self/?type=2&username=root&channel=${channelId + 1}`
        const { items } = await user.get<{ items: Row[] }>(path)
        expect(items).toHaveLength(2)
        expect(items[0]!.other).not.toContain('use_channel')
        const byKey = await stage.callers.anonymous.get<Row[]>(`/api/log/token?key=${key}`)
        expect(byKey[0]!.other).not.toContain('use_channel')
      },
    },
    {
      it: 'counts consumption only in the sums, and the last minute in rpm and tpm',
      run: async (stage) => {
        const rows = await list(stage, 'type=2&username=contract-user')
        const quota = rows.reduce((sum, row) => sum + row.quota, 0)
        const stat = { quota, rpm: 2, tpm: 30 }
        const { admin, user } = stage.callers
        expect(await admin.get('/api/log/stat?type=1&username=contract-user')).toEqual(stat)
        expect(await user.get('/api/log/self/stat/?type=0')).toEqual(stat)
        const past = await admin.get('/api/log/stat?username=contract-user&end_timestamp=5')
        expect(past).toEqual({ ...stat, quota: 0 })
      },
    },
    {
      it: 'takes the key from the header, too',
      run: async ({ app }) => {
        const headers = { authorization: `Bearer ${key}` }
        const response = await fetch(`${app.url}/api/log/token`, { headers })
        expect(((await response.json()) as { data: unknown[] }).data).toHaveLength(2)
      },
    },
    {
      it: 'has an object as text in other, or the empty text where nothing is told',
      run: async (stage) => {
        const rows = await list(stage, 'type=3&username=contract-user')
        expect(rows.length).toBeGreaterThan(0)
        for (const { other } of rows)
          if (other !== '') expect(JSON.parse(other)).toBeTypeOf('object')
      },
    },
    {
      it: 'writes a row of type 5 for a failed attempt, and tells its owner no host',
      run: async (stage) => {
        const { app, callers } = stage
        const id = await addChannel(app.root, {
          base_url: 'http://127.0.0.1:9',
          models: 'log-broken',
          name: 'secret-supplier',
        })
        await setPrice(app.root, 'log-broken', 1)
        const response = await fetch(`${app.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            model: 'log-broken',
            messages: [{ role: 'user', content: 'hi' }],
          }),
        })
        expect(response.status).toBeGreaterThanOrEqual(500)
        // Written beside the answer, not before it.
        const row = async () => (await list(stage, 'type=5'))[0]
        await expect.poll(row).toMatchObject({ type: 5, quota: 0, channel: id })
        const own = await callers.user.get<{ items: Row[] }>('/api/log/self/?type=5')
        expect(own.items).toMatchObject([{ channel: 0, channel_name: '' }])
        expect(JSON.stringify(own.items)).not.toMatch(/127\.0\.0\.1|secret-supplier/)
      },
    },
    {
      it: 'searches by type and by the beginning of the content, owners by type alone',
      run: async ({ callers: { admin, user } }) => {
        const search = async (who: typeof admin, path: string) =>
          (await who.get<Row[]>(`${path}?keyword=3`)).map(({ type }) => type)
        expect(new Set(await search(admin, '/api/log/search'))).toEqual(new Set([3]))
        expect(new Set(await search(user, '/api/log/self/search'))).toEqual(new Set([3]))
        const quota = await admin.get<Row[]>('/api/log/search?keyword=Quota changed')
        expect(quota.length).toBeGreaterThan(0)
        expect(await user.get('/api/log/self/search?keyword=Quota changed')).toEqual([])
      },
    },
    {
      it: 'clears what is older than the time, of all users and types',
      run: async ({ callers: { admin } }) => {
        const { total } = await admin.get<{ total: number }>('/api/log/')
        const soon = Math.floor(Date.now() / 1000) + 5
        expect(await admin.delete(`/api/log/?target_timestamp=${soon}`)).toBe(total)
        expect(await admin.get('/api/log/')).toMatchObject({ items: [], total: 0 })
      },
    },
  ],
}
