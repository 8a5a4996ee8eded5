// Part 2, 2.1 to 2.8: pages, searches, and what becomes of what is written.
import { expect } from 'vitest'
import type { Stage } from '../stage.ts'
import type { Room } from '../table.ts'
import { create, input, leadTo } from './channel-bodies.ts'

interface Row extends Record<string, unknown> {
  id: number
  name: string
  tag: string
  status: number
}

const read = ({ callers: { admin } }: Stage, id: number) => admin.get<Row>(`/api/channel/${id}`)

const found = async ({ callers: { admin } }: Stage, path: string) =>
  (await admin.get<Row[]>(path)).map(({ name }) => name)

export const channelStories: Room = {
  subject: 'what happens to channels',
  dependsOnSql: true,
  prepare: async (stage) => {
    leadTo(stage)
    const made = [
      { name: 'tall', tag: 'red', priority: 3, models: 'deep-1,deep-2', group: 'default,vip' },
      { name: 'Small', tag: 'red', priority: 1, models: 'wide-1', group: 'vip' },
      { name: '50%_off', tag: 'blue', priority: 2, models: 'deep-1' },
    ]
    for (const row of made) await create(stage, row)
  },
  calls: [],
  stories: [
    {
      it: 'pages from 0, by priority and then by id; id_sort goes by id alone',
      run: async (stage) => {
        const ids = async (query: string) =>
          (await stage.callers.admin.get<Row[]>(`/api/channel/?${query}`)).map(({ id }) => id)
        const all = await ids('p=0&page_size=100')
        expect(await ids('page_size=2&p=0')).toEqual(all.slice(0, 2))
        expect(await ids('page_size=2&p=1')).toEqual(all.slice(2, 4))
        expect(await ids('page_size=-1')).toEqual(all.slice(0, 10))
        expect(await ids('page_size=0')).toEqual(all.slice(0, 10))
        expect(await ids('p=500')).toEqual([])
        for (const value of ['true', '1', 't'])
          expect(await ids(`page_size=100&id_sort=${value}`)).toEqual(all.toSorted((a, b) => b - a))
        const answer = await stage.callers.admin.call('GET', '/api/channel/?page_size=1')
        expect(answer.headers.get('x-total-count')).toBe(String(all.length))
      },
    },
    {
      it: 'finds by part of the name in any case, by id, by the whole key, by model and by group',
      run: async (stage) => {
        const search = (query: string) => found(stage, `/api/channel/search?${query}`)
        expect(await search('keyword=SMALL')).toEqual(['Small'])
        expect(await search('keyword=%25_')).toEqual(['50%_off'])
        expect(await search('keyword=_')).toEqual(['50%_off'])
        await create(stage, { name: 'keyed', key: 'sk-whole-key' })
        expect(await search('keyword=sk-whole-key')).toEqual(['keyed'])
        expect(await search('keyword=sk-whole')).toEqual([])
        expect(await search('model=deep')).toEqual(['tall', '50%_off'])
        expect(await search('model=deep&group=vip')).toEqual(['tall'])
        expect(await search('keyword=tall&group=vi')).toEqual([])
        expect(await search('model=wide&group=null')).toEqual(['Small'])
        const { id } = (
          await stage.callers.admin.get<Row[]>('/api/channel/search?keyword=tall')
        )[0]!
        expect(await search(`keyword=${id}`)).toContain('tall')
      },
    },
    {
      it: 'pages by tag: whole tags by name, without the untagged',
      run: async (stage) => {
        expect(await found(stage, '/api/channel/?tag_mode=true&p=0&page_size=1')).toEqual([
          '50%_off',
        ])
        expect(await found(stage, '/api/channel/?tag_mode=true&p=1&page_size=1')).toEqual([
          'tall',
          'Small',
        ])
        expect(await found(stage, '/api/channel/search?tag_mode=true&model=wide')).toEqual([
          'tall',
          'Small',
        ])
      },
    },
    {
      it: 'makes one channel of each line of keys, none twice',
      run: async (stage) => {
        const key = ' sk-a \n\nsk-b\nsk-a\n'
        const ids = await stage.callers.admin.post<number[]>(
          '/api/channel/',
          input({ name: 'many', key }),
        )
        expect(ids).toHaveLength(2)
        expect(await found(stage, '/api/channel/search?keyword=many')).toEqual(['many', 'many'])
      },
    },
    {
      it: 'takes long lists of models and groups, and codes as numbers',
      run: async (stage) => {
        const many = (word: string) =>
          Array.from({ length: 300 }, (_, at) => `${word}-${at}`).join(',')
        const written = { models: many('model'), group: many('group') }
        const id = await create(stage, { ...written, status_code_mapping: '{"400":500}' })
        expect(await read(stage, id)).toMatchObject(written)
        const model_limits = many('model')
        expect(await stage.callers.user.post('/api/token/', { model_limits })).toMatchObject({
          model_limits,
        })
      },
    },
    {
      it: 'keeps the document of a service account in one piece',
      run: async (stage) => {
        const key = '{\n"type": "service_account",\n"project_id": "p"\n}'
        const vertex = input({ type: 41, key, other: 'us-central1', base_url: '' })
        const ids = await stage.callers.admin.post<number[]>('/api/channel/', vertex)
        expect(ids).toHaveLength(1)
        const cleared = { id: ids[0], type: 41, other: '' }
        expect(await stage.callers.admin.call('PUT', '/api/channel/', cleared)).toMatchObject({
          code: 'channel.field_missing',
        })
      },
    },
    {
      it: 'tidies what is written, and lets no figure in',
      run: async (stage) => {
        const id = await create(stage, {
          type: 18,
          other: '',
          models: ' a, b ,a,,',
          group: '',
          base_url: `${stage.upstream.url}/`,
          id: 5000,
          balance: 9,
          used_quota: 9,
          response_time: 9,
          other_info: 'x',
        })
        const made = await read(stage, id)
        expect(made).toMatchObject({
          other: 'v2.1',
          models: 'a,b',
          group: 'default',
          base_url: stage.upstream.url,
          balance: 0,
          used_quota: 0,
          response_time: 0,
          other_info: '',
        })
        await stage.callers.admin.put('/api/channel/', {
          id,
          used_quota: 7,
          balance: 7,
          test_time: 7,
        })
        expect(await read(stage, id)).toMatchObject({ used_quota: 0, balance: 0, test_time: 0 })
      },
    },
    {
      it: 'keeps what is empty or absent, and writes what may be empty',
      run: async (stage) => {
        const id = await create(stage, {
          name: 'edited',
          tag: 't',
          test_model: 'm',
          max_input_tokens: 9,
        })
        const same = { name: '', key: '', models: '', group: '', type: 0, status: 0, other: '' }
        await stage.callers.admin.put('/api/channel/', { id, ...same })
        expect(await read(stage, id)).toMatchObject({
          name: 'edited',
          tag: 't',
          status: 1,
          max_input_tokens: 9,
        })
        await stage.callers.admin.put('/api/channel/', { id, tag: '', test_model: '', weight: 0 })
        expect(await read(stage, id)).toMatchObject({ tag: '', test_model: '', weight: 0 })
      },
    },
    {
      it: 'copies with a new name and no figures',
      run: async (stage) => {
        const id = await create(stage, { name: 'model of it' })
        const copy = await stage.callers.admin.post<number>(`/api/channel/copy/${id}`)
        expect(await read(stage, copy)).toMatchObject({
          name: 'model of it copy',
          status: 1,
          used_quota: 0,
        })
      },
    },
    {
      it: 'switches, renames and dissolves a tag with all its channels',
      run: async (stage) => {
        const { admin } = stage.callers
        const ids = [
          await create(stage, { name: 'x1' }),
          await create(stage, { name: 'x2', status: 2 }),
        ]
        const all = () => Promise.all(ids.map((id) => read(stage, id)))
        expect(await admin.post('/api/channel/batch/tag', { ids, tag: 'green' })).toBe(2)
        await admin.post('/api/channel/tag/disabled', { tag: 'green' })
        expect((await all()).map(({ status }) => status)).toEqual([2, 2])
        await admin.post('/api/channel/tag/enabled', { tag: 'green' })
        const change = {
          tag: 'green',
          new_tag: 'lime',
          models: 'm1,m2',
          groups: 'vip',
          priority: '4',
          weight: 2,
        }
        await admin.put('/api/channel/tag', change)
        for (const row of await all())
          expect(row).toMatchObject({
            tag: 'lime',
            models: 'm1,m2',
            group: 'vip',
            priority: 4,
            weight: 2,
            status: 1,
          })
        expect(await admin.get('/api/channel/models_enabled')).toEqual(
          expect.arrayContaining(['m1', 'm2']),
        )
        await admin.put('/api/channel/tag', { tag: 'lime', new_tag: '' })
        expect((await all()).map(({ tag }) => tag)).toEqual(['', ''])
        await admin.post('/api/channel/batch', { ids })
        expect(await admin.get('/api/channel/models_enabled')).not.toContain('m1')
      },
    },
    {
      it: 'removes what is disabled',
      run: async (stage) => {
        const id = await create(stage, { name: 'off', status: 2 })
        expect(await stage.callers.admin.delete('/api/channel/disabled')).toBeGreaterThanOrEqual(1)
        expect(await stage.callers.admin.call('GET', `/api/channel/${id}`)).toMatchObject({
          code: 'channel.not_found',
        })
      },
    },
  ],
}
