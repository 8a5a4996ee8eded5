// The channel screen of a v0.6 console: its table, its forms, its tags. One story goes on where the one before it ended.
import { expect } from 'vitest'
import type { OlderConsole } from './older-console.ts'

type Row = Record<string, unknown> & { id: number; status: number }

interface Parts {
  root: OlderConsole
  /** The address of the provider. */
  upstream: string
}

const list = ({ root }: Parts) =>
  root.get<Row[]>('/api/channel/?p=0&page_size=10&id_sort=false&tag_mode=false')

/** The form with what it starts from. */
const form = ({ upstream }: Parts) => ({
  name: 'first',
  type: 1,
  key: 'sk-first',
  openai_organization: '',
  max_input_tokens: 0,
  base_url: upstream,
  other: '',
  model_mapping: '',
  status_code_mapping: '',
  models: 'gpt-4o',
  auto_ban: 1,
  test_model: '',
  groups: ['default'],
  group: 'default',
  priority: 0,
  weight: 0,
  tag: '',
})

export const channelScreen: Readonly<Record<string, (parts: Parts) => Promise<void>>> = {
  async 'fills its pickers'(parts) {
    expect(await parts.root.get('/api/group/')).toContain('default')
    const models = await parts.root.ask('GET', '/api/channel/models')
    // The specification's map wins for `data`; the list that it reads there stands next to it.
    expect((models['models'] as { id: string }[]).map(({ id }) => id)).toContain('gpt-4o')
    expect(await parts.root.get('/api/models')).toMatchObject({ 1: expect.any(Array) })
  },

  async 'creates, fetches models before and after, and tests'(parts) {
    const fetched = { base_url: parts.upstream, type: 1, key: 'sk-first' }
    expect(await parts.root.ok('POST', '/api/channel/fetch_models', fetched)).toEqual(['gpt-4o'])
    await parts.root.ok('POST', '/api/channel/', form(parts))
    const [row] = await list(parts)
    expect(row).toMatchObject({ name: 'first', key: '', other_info: '', model_mapping: '' })
    expect(await parts.root.get(`/api/channel/fetch_models/${row!.id}`)).toEqual(['gpt-4o'])
    const tested = await parts.root.ask('GET', `/api/channel/test/${row!.id}?model=`)
    expect(tested).toMatchObject({ success: true, time: expect.any(Number) })
  },

  async 'loads a row into its form and sends all of it back'(parts) {
    const { id } = (await list(parts))[0]!
    const loaded = await parts.root.get<Row>(`/api/channel/${id}`)
    const sent = { ...loaded, groups: ['default'], models: 'gpt-4o,gpt-4o-mini', auto_ban: 0 }
    await parts.root.ok('PUT', '/api/channel/', sent)
    expect(await parts.root.get(`/api/channel/${id}`)).toMatchObject({
      models: 'gpt-4o,gpt-4o-mini',
      auto_ban: 0,
      status: 1,
    })
    expect((await parts.root.ask('GET', `/api/channel/test/${id}?model=gpt-4o`)).success).toBe(true)
  },

  async 'switches a row and takes its status from the answer'(parts) {
    const { id } = (await list(parts))[0]!
    for (const status of [2, 1])
      expect(await parts.root.ok('PUT', '/api/channel/', { id, status })).toMatchObject({
        status,
      })
    await parts.root.ok('PUT', '/api/channel/', { id, priority: 5 })
    expect(await parts.root.ok('PUT', '/api/channel/', { id, weight: 3 })).toMatchObject({
      priority: 5,
      weight: 3,
    })
  },

  async 'copies a row as it stands in its table'(parts) {
    const row = (await list(parts))[0]!
    const { id, ...rest } = row
    const copy = {
      ...rest,
      key: String(id),
      name: 'first_copy',
      created_time: null,
      children: null,
    }
    await parts.root.ok('POST', '/api/channel/', copy)
    expect((await list(parts)).map(({ name }) => name)).toContain('first_copy')
  },

  async 'searches, tags, edits by tag and dissolves'(parts) {
    const search =
      '/api/channel/search?keyword=first_copy&group=&model=&id_sort=true&tag_mode=false'
    const { id } = (await parts.root.get<Row[]>(search))[0]!
    expect(await parts.root.ok('POST', '/api/channel/batch/tag', { ids: [id], tag: 'old' })).toBe(1)
    await parts.root.ok('POST', '/api/channel/tag/disabled', { tag: 'old' })
    await parts.root.ok('POST', '/api/channel/tag/enabled', { tag: 'old' })
    const edit = {
      tag: 'old',
      new_tag: 'older',
      model_mapping: null,
      groups: 'default',
      models: 'gpt-4o',
    }
    await parts.root.ok('PUT', '/api/channel/tag', edit)
    await parts.root.ok('PUT', '/api/channel/tag', { tag: 'older', priority: 2 })
    const tagged = await parts.root.get<Row[]>(
      '/api/channel/?p=0&page_size=10&id_sort=false&tag_mode=true',
    )
    expect(tagged).toMatchObject([{ id, tag: 'older', priority: 2, status: 1 }])
    expect(await parts.root.ok('POST', '/api/channel/batch/tag', { ids: [id], tag: null })).toBe(1)
    expect(await parts.root.ok('POST', '/api/channel/batch', { ids: [id] })).toBe(1)
  },

  async 'mends, clears and deletes'(parts) {
    expect(await parts.root.ok('POST', '/api/channel/fix')).toBeTypeOf('number')
    await parts.root.ok('POST', '/api/channel/', {
      ...form(parts),
      name: 'gone',
      key: 'sk-a\nsk-b',
    })
    const gone = (await list(parts)).filter(({ name }) => name === 'gone')
    expect(gone).toHaveLength(2)
    await parts.root.ok('PUT', '/api/channel/', { id: gone[0]!.id, status: 2 })
    expect(await parts.root.ok('DELETE', '/api/channel/disabled')).toBe(1)
    await parts.root.ok('DELETE', `/api/channel/${gone[1]!.id}/`)
    expect(await list(parts)).toHaveLength(1)
  },

  async 'asks again for the key when the address moves, and says so'(parts) {
    const { id } = (await list(parts))[0]!
    const moved = {
      ...(await parts.root.get<Row>(`/api/channel/${id}`)),
      base_url: 'https://b.example',
    }
    expect(await parts.root.ask('PUT', '/api/channel/', moved)).toMatchObject({
      success: false,
      message: expect.stringMatching(/enter the key again/),
    })
  },
}
