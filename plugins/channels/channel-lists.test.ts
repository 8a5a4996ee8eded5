import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { defineAdapter, type HttpClient } from '#core'
import { createPluginApp, type InjectClient, type PluginApp } from '#test'
import { type Channels, createChannels } from '../../core/channels/channels.ts'
import { quietLog } from '../../test/harness/databases.ts'
import channelsPlugin from './index.ts'

const adapter = defineAdapter({
  id: 'sample',
  summary: 'a sample provider',
  channelTypes: { 1: 'Sample', 14: 'Other' },
  baseUrl: 'https://sample.example',
  models: ['m'],
  operations: {},
})

describe('the list of channels', () => {
  let app: PluginApp
  let channels: Channels
  let admin: InjectClient

  beforeAll(async () => {
    app = await createPluginApp({
      plugins: [channelsPlugin],
      services: async (made) => {
        const http = {} as HttpClient
        channels = createChannels({ ...made, http, adapters: () => [adapter], log: quietLog })
        const none = async () => undefined
        return { channels, notifications: { notify: none, notifyAdmins: none, ways: () => [] } }
      },
    })
    const password = 'correct horse'
    const { id } = await app.accounts.create({ username: 'a', password, role: 10, by: 'admin' })
    admin = await app.signedIn(id)
    const rows = [
      { name: 'one', type: 1, tag: 'east', models: 'gpt-4o', group: 'default,vip' },
      { name: 'two', type: 14, tag: 'east', models: 'claude', group: 'default' },
      { name: 'three', type: 1, tag: 'west', models: 'gpt-4o,claude', group: 'vip' },
      { name: 'four', type: 1, tag: '', models: 'm', group: 'default' },
    ]
    for (const row of rows) await channels.create({ key: `sk-long-enough-key-${row.name}`, ...row })
    await app.database.run(`UPDATE channels SET used_quota = id * 10, balance = 5 - id,
      response_time = CASE WHEN id = 2 THEN 900 ELSE 100 END, status = CASE WHEN id = 3 THEN 2 ELSE 1 END`)
  })
  afterAll(async () => {
    await channels.close()
    await app.close()
  })

  const list = (query: string) =>
    admin.call<{ id: number; name: string; health: unknown }[]>('GET', `/api/channel/?${query}`)

  it.each([
    ['id_sort=true', ['four', 'three', 'two', 'one'], '4'],
    ['status=2', ['three'], '1'],
    ['status=1&type=1', ['four', 'one'], '2'],
    ['type=14', ['two'], '1'],
    ['tag=east', ['two', 'one'], '2'],
    ['tag=%25', [], '0'],
    ['keyword=THR', ['three'], '1'],
    ['keyword=sk-long-enough-key-two', ['two'], '1'],
    ['model=gpt&group=vip&id_sort=1', ['three', 'one'], '2'],
    ['sort=used_quota&order=desc', ['four', 'three', 'two', 'one'], '4'],
    ['sort=used_quota&order=asc', ['one', 'two', 'three', 'four'], '4'],
    ['sort=balance&order=desc', ['one', 'two', 'three', 'four'], '4'],
    ['sort=response_time', ['two', 'four', 'three', 'one'], '4'],
    ['status=1&page_size=2&p=1&id_sort=true', ['one'], '3'],
    ['tag_mode=true&type=14', ['two', 'one'], '1'],
  ])('for %s holds %j', async (query, names, total) => {
    const answer = await list(query)
    expect(answer.data.map(({ name }) => name)).toEqual(names)
    expect(answer.headers['x-total-count']).toBe(total)
  })

  it.each(['sort=key', 'sort=id;drop', 'order=up', 'status=7', 'type=x', 'type=-1'])(
    'refuses %s',
    async (query) => {
      expect(await list(query)).toMatchObject({ success: false })
    },
  )

  it('filters a search in the same way', async () => {
    const url = '/api/channel/search?keyword=&status=1&sort=used_quota&order=asc'
    const { data } = await admin.call<{ name: string }[]>('GET', url)
    expect(data.map(({ name }) => name)).toEqual(['one', 'two', 'four'])
  })

  it('says how each channel did in the last hour, without its key', async () => {
    const channel = channels.index().find(2)!
    await channels.health.failed(channel, {
      failureClass: 'upstream',
      message: 'sk-long-enough-key-two is broken',
    })
    const found = (await list('')).data.find(({ id }) => id === 2)
    expect(found?.health).toMatchObject({
      succeeded: 0,
      failed: 1,
      last_error: { failure_class: 'upstream' },
    })
    expect(JSON.stringify(found)).not.toContain('key-two')
  })

  it('reads and writes a page of tags in pieces, and lets others have their turn', async () => {
    const key = (tag: string) =>
      Array.from({ length: 700 }, (_, at) => `sk-${tag}-${at}`).join('\n')
    for (const tag of ['many', 'more']) {
      const row = { name: tag, type: 1, models: 'm', group: 'default' }
      await channels.create({ ...row, tag, key: key(tag) })
    }
    const read = vi.spyOn(JSON, 'parse')
    const written = vi.spyOn(JSON, 'stringify')
    const { data } = await list('tag_mode=true&page_size=100&id_sort=true')
    const rowsOf = (values: unknown[]) =>
      values.map((value) => (Array.isArray(value) && isRow(value[0]) ? value.length : 0))
    expect(rowsOf(read.mock.results.map(({ value }) => value)).toSorted(down)[0]).toBe(702)
    expect(rowsOf(written.mock.calls.map(([value]) => value)).toSorted(down)[0]).toBe(500)
    const names = data.map(({ name }) => name)
    expect(names.slice(0, 2)).toEqual(['two', 'one'])
    expect(new Set(names.slice(2, 702))).toEqual(new Set(['many']))
    expect(new Set(names.slice(702, 1_402))).toEqual(new Set(['more']))
    expect(names.slice(1_402)).toEqual(['three'])
    expect(data.every(({ health }) => health !== undefined)).toBe(true)
  })
})

const down = (left: number, right: number) => right - left

function isRow(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'models' in value
}
