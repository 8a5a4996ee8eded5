import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  createBus,
  createCoreServices,
  type CoreServices,
} from '../../test/harness/core-services.ts'
import { databaseKinds } from '../../test/harness/databases.ts'
import { channelInput, startChannels } from '../../test/harness/channels.ts'
import { processorTime } from '../../test/harness/clock.ts'
import { channelFields } from '../data/models/channel.ts'
import { listChannels } from './channel-search-sql.ts'
import type { Channels } from './channels.ts'

describe.each(databaseKinds)('channels on $name', (kind) => {
  let services: CoreServices
  let channels: Channels

  beforeAll(async () => {
    services = await createCoreServices(kind)
  })
  afterAll(() => services.close())
  beforeEach(async () => {
    channels = await startChannels(services)
  })
  afterEach(async () => {
    await channels.close()
    await services.database.run('DELETE FROM channels')
  })

  const add = async (fields: object = {}) => {
    const [id = 0] = await channels.create({ ...channelInput, ...fields })
    return id
  }
  const selectOne = (model = 'm', group = 'default') => {
    const found = channels.index().select({ group, model, attempt: 0 })
    return found === 'none' ? found : found.id
  }

  describe('adding', () => {
    it('makes one channel for each distinct line of the key', async () => {
      const ids = await channels.create({ ...channelInput, key: ' sk-a \n\nsk-b\r\nsk-a\n' })
      expect(ids).toHaveLength(2)
      expect(ids.map((id) => channels.index().find(id)?.view.key)).toEqual(['sk-a', 'sk-b'])
    })

    it('lets others write while thousands of keys are added', async () => {
      const keys = Array.from({ length: 5000 }, (_, index) => `sk-${index}`)
      let isDone = false
      let longestMs = 0
      const adding = channels.create({ ...channelInput, key: keys.join('\n') }).finally(() => {
        isDone = true
      })
      while (!isDone) {
        const spentMs = processorTime()
        await services.database.run('UPDATE options SET value = value')
        longestMs = Math.max(longestMs, spentMs())
        await nextTurn()
      }
      const ids = await adding
      expect(ids.map((id) => channels.index().find(id)?.view.key)).toEqual(keys)
      expect(longestMs).toBeLessThan(1000)
    })

    it('keeps a multi-line key of an adapter that wants one', async () => {
      const key = '{\n"private": 1\n}'
      const input = { type: 41, base_url: 'https://d.example', other: 'eu', key }
      const id = await add(input)
      expect(channels.index().find(id)?.view.key).toBe(key)
    })

    it('never stores or returns a key in clear', async () => {
      const id = await add()
      expect((await channels.find(id)).key).toBe('')
      const rows = await services.database.select('SELECT * FROM channels')
      expect(JSON.stringify(rows)).not.toContain(channelInput.key)
    })

    it('tidies lists and the base URL, and takes the default group', async () => {
      const id = await add({ models: ' b , a,,a ', group: '', base_url: 'https://x.example/' })
      expect(await channels.find(id)).toMatchObject({
        models: 'b,a',
        group: 'default',
        base_url: 'https://x.example',
        status: 1,
        auto_ban: 1,
      })
    })

    it('ignores figures, times and ids that a form brings along', async () => {
      const id = await add({ id: 999, balance: 7, used_quota: 5, test_time: 1, other_info: '{}' })
      expect(id).not.toBe(999)
      expect(await channels.find(id)).toMatchObject({ balance: 0, used_quota: 0, test_time: 0 })
    })

    it.each([
      { fields: { name: ' ' }, code: 'channel.field_missing' },
      { fields: { name: 'open\u202eIA' }, code: 'request.unseen_character' },
      { fields: { tag: 'a\u200bb' }, code: 'request.unseen_character' },
      { fields: { group: 'default,v\u2060ip' }, code: 'request.unseen_character' },
      { fields: { key: ' \n ' }, code: 'channel.field_missing' },
      { fields: { models: ' , ' }, code: 'channel.models_missing' },
      { fields: { models: 'x'.repeat(256) }, code: 'channel.model_too_long' },
      { fields: { type: 77 }, code: 'channel.type_unknown' },
      { fields: { model_mapping: '{"a":1}' }, code: 'channel.mapping_invalid' },
      { fields: { model_mapping: 'nope' }, code: 'channel.field_not_json' },
      { fields: { status_code_mapping: '{"400":"often"}' }, code: 'channel.status_codes_invalid' },
      {
        fields: { setting: '{"proxy":"ftp://x"}' },
        code: 'channel.proxy_invalid',
        field: 'setting.proxy',
      },
      {
        fields: { setting: '{"multi_key_mode":"all"}' },
        code: 'channel.setting_invalid',
        field: 'setting.multi_key_mode',
      },
      { fields: { setting: '{"force_format":"true"}' }, code: 'channel.setting_invalid' },
      { fields: { param_override: '[]' }, code: 'channel.field_not_json' },
      {
        fields: { param_override: '{"operations":[{"mode":"guess"}]}' },
        code: 'channel.override_invalid',
      },
      { fields: { weight: -1 }, code: 'channel.field_not_number' },
      { fields: { priority: -1000 }, code: 'channel.field_not_number' },
      { fields: { weight: '1.5' }, code: 'channel.field_not_number' },
      { fields: { base_url: 'file:///etc/passwd' }, code: 'channel.url_invalid' },
      { fields: { type: 41, other: 'eu' }, code: 'channel.field_missing' },
      {
        fields: { type: 41, base_url: 'https://d.example', other: '{"a":"b"}' },
        code: 'channel.other_invalid',
      },
    ])('refuses $fields with $code and stores nothing', async ({ fields, code, field }) => {
      await expect(add(fields)).rejects.toMatchObject({ code, ...(field ? { field } : {}) })
      expect(
        (await channels.list({ offset: 0, limit: 9, isSortedById: true, isByTag: false })).total,
      ).toBe(0)
    })

    it('serves the new channel at once, for each group and model', async () => {
      const id = await add({ models: 'm,n', group: 'default,vip' })
      expect(selectOne('n', 'vip')).toBe(id)
      expect(await channels.modelsOfGroups(['vip'])).toEqual(['m', 'n'])
      expect(await channels.groupsOfModels()).toEqual(
        new Map([
          ['m', ['default', 'vip']],
          ['n', ['default', 'vip']],
        ]),
      )
    })
  })

  describe('editing', () => {
    it('takes empty plain fields for unchanged and writes empty optional ones', async () => {
      const id = await add({ tag: 't', weight: 5, setting: '{"a":1}', other: 'x' })
      const row = await channels.update({
        id,
        name: '',
        key: '',
        models: '',
        group: '',
        other: '',
        status: 0,
        tag: '',
        weight: 0,
        setting: '',
        test_model: null,
      })
      expect(row).toMatchObject({ name: 'one', models: 'm', group: 'default', other: 'x' })
      expect(row).toMatchObject({ tag: '', weight: 0, setting: '', key: '' })
      expect(channels.index().find(id)?.view.key).toBe(channelInput.key)
    })

    it('clears `other` when the type is sent beside it', async () => {
      const id = await add({ other: 'x' })
      expect(await channels.update({ id, type: 1, other: '' })).toMatchObject({ other: '' })
    })

    it('takes numbers as text and leaves every other field alone', async () => {
      const id = await add()
      expect(await channels.update({ id, priority: '7' })).toMatchObject({
        priority: 7,
        name: 'one',
      })
    })

    it('writes and returns whatever column the model lets admins write', async () => {
      const haveRules = ['type', 'key', 'status', 'models', 'group', 'base_url', 'model_mapping']
      const isPlain = (name: string) =>
        ![...haveRules, 'status_code_mapping', 'setting', 'param_override'].includes(name)
      const plain = Object.entries(channelFields.properties).filter(([name]) => isPlain(name))
      const sent = Object.fromEntries(
        plain.map(([name, { type }]) => [name, type === 'integer' ? 1 : `a ${name}`]),
      )
      const id = await add(sent)
      expect(await channels.find(id)).toMatchObject(sent)
      const cleared = { type: channelInput.type, tag: '', test_model: '', openai_organization: '' }
      await channels.update({ id, ...cleared })
      expect(await channels.find(id)).toMatchObject({ ...sent, ...cleared })
    })

    it('switches a channel off and on for routing and for the lists of models alike', async () => {
      const id = await add()
      await channels.update({ id, status: 2 })
      expect(selectOne()).toBe('none')
      expect(await channels.enabledModels()).toEqual([])
      await channels.update({ id, status: 1 })
      expect(selectOne()).toBe(id)
      expect(await channels.enabledModels()).toEqual(['m'])
    })

    it('refuses a second key line and an unknown channel', async () => {
      const id = await add()
      await expect(channels.update({ id, key: 'a\nb' })).rejects.toMatchObject({
        code: 'channel.key_not_single',
      })
      await expect(channels.update({ id: id + 1, name: 'x' })).rejects.toMatchObject({
        code: 'channel.not_found',
      })
    })

    it('copies a channel with its key, enabled and without figures', async () => {
      const id = await add({ tag: 't' })
      await channels.recordBalance(id, 4.5)
      await channels.update({ id, status: 2 })
      const copy = await channels.copy(id)
      expect(await channels.find(copy)).toMatchObject({
        name: 'one copy',
        status: 1,
        balance: 0,
        tag: 't',
      })
      expect(channels.index().find(copy)?.view.key).toBe(channelInput.key)
      const longest = await add({ name: 'n'.repeat(255) })
      const { name } = await channels.find(await channels.copy(longest))
      expect(name).toBe(`${'n'.repeat(250)} copy`)
    })
  })

  describe('automatic changes', () => {
    it('disables with reason and time, without the key, and tells it once', async () => {
      const id = await add()
      const heard: unknown[] = []
      const stop = services.events.on('channel.disabled', (event) => void heard.push(event))
      const reason = `no such key ${channelInput.key}`
      await Promise.all([1, 2, 3].map(() => channels.setAutomatic(id, 3, reason)))
      stop()
      const row = await channels.find(id)
      expect(row.status).toBe(3)
      expect(JSON.parse(row.other_info)).toEqual({
        status_reason: 'no such key ***',
        status_time: expect.any(Number) as number,
      })
      expect(heard).toEqual([{ channelId: id, name: 'one', reason: 'no such key ***' }])
      expect(selectOne()).toBe('none')
    })

    it('writes what a failing provider does to hundreds of channels in a few steps', async () => {
      const keys = Array.from({ length: 250 }, (_, index) => `sk-${index}`)
      const ids = await channels.create({ ...channelInput, key: keys.join('\n') })
      const heard = new Set<number>()
      const stop = services.events.on(
        'channel.disabled',
        (event) => void heard.add(event.channelId),
      )
      const transaction = vi.spyOn(services.database, 'transaction')
      await Promise.all(ids.map((id) => channels.setAutomatic(id, 3, 'no credit')))
      expect(transaction.mock.calls.length).toBeLessThan(5)
      transaction.mockRestore()
      stop()
      expect(heard).toEqual(new Set(ids))
      expect(selectOne()).toBe('none')
    })

    it('enables only what was disabled automatically', async () => {
      const byHand = await add()
      await channels.update({ id: byHand, status: 2 })
      await channels.setAutomatic(byHand, 1, '')
      expect((await channels.find(byHand)).status).toBe(2)
      const other = await add()
      await channels.setAutomatic(other, 3, 'broken')
      await channels.setAutomatic(other, 1, '')
      expect(await channels.find(other)).toMatchObject({ status: 1, other_info: '' })
    })

    it('keeps an automatic status when a form sends it back, and forgets the reason on enabling', async () => {
      const id = await add()
      await channels.setAutomatic(id, 3, 'broken')
      expect(await channels.update({ id, status: 3, name: 'new' })).toMatchObject({
        status: 3,
        name: 'new',
      })
      expect(await channels.update({ id, status: 1 })).toMatchObject({ status: 1, other_info: '' })
    })
  })

  describe('tags', () => {
    it('switches and edits all channels of a tag, and no others', async () => {
      const [a, b, c] = [await add({ tag: 't' }), await add({ tag: 't' }), await add({ tag: 'u' })]
      await channels.setAutomatic(b, 3, 'broken')
      await channels.setTagStatus('t', 2)
      expect((await channels.find(b)).other_info).toBe('')
      expect(selectOne()).toBe(c)
      await channels.setTagStatus('t', 1)
      await channels.editTag({ tag: 't', new_tag: 'v', models: 'x', groups: 'vip', priority: '3' })
      expect(await channels.find(a)).toMatchObject({
        tag: 'v',
        models: 'x',
        group: 'vip',
        priority: 3,
        weight: 0,
      })
      expect(await channels.modelsOfGroups(['vip'])).toEqual(['x'])
      expect((await channels.find(c)).models).toBe('m')
    })

    it('dissolves a tag, and sets and clears it by ids', async () => {
      const id = await add({ tag: 't' })
      await channels.editTag({ tag: 't', new_tag: '' })
      expect((await channels.find(id)).tag).toBe('')
      await channels.tagChannels([id], 'w')
      expect((await channels.find(id)).tag).toBe('w')
      await add({ tag: 'a' })
      await add({ tag: 'w' })
      expect(await channels.tags()).toEqual(['a', 'w'])
      await channels.tagChannels([id], null)
      expect((await channels.find(id)).tag).toBe('')
    })

    it('refuses an empty tag and an empty list of ids', async () => {
      await expect(channels.setTagStatus(' ', 2)).rejects.toMatchObject({
        code: 'channel.tag_missing',
      })
      await expect(channels.tagChannels([], 'x')).rejects.toMatchObject({
        code: 'channel.ids_missing',
      })
    })
  })

  describe('listing and searching', () => {
    const names = (rows: { name: string }[]) => rows.map(({ name }) => name)
    const search = async (query: object) =>
      names(
        (
          await channels.list({
            offset: 0,
            limit: 100,
            isSortedById: false,
            isByTag: false,
            ...query,
          })
        ).items,
      )

    beforeEach(async () => {
      await add({ name: 'Low', priority: 1, tag: 'b', group: 'vip,default' })
      await add({ name: 'HIGH_100%', priority: 9, key: 'sk-high', models: 'gpt-4o,m' })
      await add({ name: 'mid', priority: 5, tag: 'a' })
    })

    it('sorts by priority or by id, a page at a time', async () => {
      const list = async (query: object) => {
        const page = { offset: 0, limit: 2, isSortedById: false, isByTag: false, ...query }
        return names((await channels.list(page)).items)
      }
      expect(await list({})).toEqual(['HIGH_100%', 'mid'])
      expect(await list({ offset: 2 })).toEqual(['Low'])
      expect(await list({ offset: 18 })).toEqual([])
      expect(await list({ isSortedById: true })).toEqual(['mid', 'HIGH_100%'])
      expect(await list({ isByTag: true, limit: 1 })).toEqual(['mid'])
      expect(await list({ isByTag: true, offset: 1, limit: 1 })).toEqual(['Low'])
    })

    it('filters a page, sorts it by a column and counts what matches', async () => {
      const list = async (query: object) => {
        const page = { offset: 0, limit: 2, isSortedById: false, isByTag: false, ...query }
        const { items, total } = await channels.list(page)
        return { names: names(items), total }
      }
      expect(await list({ sort: 'priority', isAscending: true })).toEqual({
        names: ['Low', 'mid'],
        total: 3,
      })
      expect(await list({ sort: 'balance' })).toMatchObject({ total: 3 })
      expect(await list({ tag: 'a', status: 1, type: 1 })).toEqual({ names: ['mid'], total: 1 })
      expect(await list({ status: 3 })).toEqual({ names: [], total: 0 })
      expect(await list({ isByTag: true, tag: 'b', sort: 'used_quota' })).toEqual({
        names: ['Low'],
        total: 1,
      })
    })

    it.each([
      { query: { keyword: 'high' }, found: ['HIGH_100%'] },
      { query: { keyword: '0%' }, found: ['HIGH_100%'] },
      { query: { keyword: '_' }, found: ['HIGH_100%'] },
      { query: { keyword: 'sk-high' }, found: ['HIGH_100%'] },
      { query: { keyword: 'sk-hig' }, found: [] },
      { query: { model: 'GPT' }, found: ['HIGH_100%'] },
      { query: { group: 'vip' }, found: ['Low'] },
      { query: { group: 'vi' }, found: [] },
      { query: { group: 'null', isSortedById: true }, found: ['mid', 'HIGH_100%', 'Low'] },
      { query: { isByTag: true }, found: ['mid', 'Low'] },
      { query: { keyword: 'nothing' }, found: [] },
      { query: { keyword: "' OR 1=1 --" }, found: [] },
    ])('finds $found for $query', async ({ query, found }) => {
      expect(await search(query)).toEqual(found)
    })

    it('looks once for what few have, and sorts ids alone', async () => {
      const { database } = services
      const asked: string[] = []
      const select: typeof database.select = (sql, values, transaction) => {
        asked.push(sql)
        return database.select(sql, values, transaction)
      }
      const look = async (query: object) => {
        asked.length = 0
        const page = { offset: 0, limit: 2, isSortedById: false, isByTag: false, ...query }
        const { items, total } = await listChannels({ ...database, select }, page, '')
        return { names: names(items), total, looks: asked.length }
      }
      expect(await look({ model: 'gpt' })).toEqual({ names: ['HIGH_100%'], total: 1, looks: 1 })
      expect(await look({ model: 'none' })).toEqual({ names: [], total: 0, looks: 1 })
      expect(await look({})).toEqual({ names: ['HIGH_100%', 'mid'], total: 3, looks: 2 })
      expect(await look({ offset: 9 })).toEqual({ names: [], total: 3, looks: 2 })
      expect(asked[0]).toContain('SELECT id FROM channels WHERE')
    })

    it('finds a channel by its id', async () => {
      const page = { offset: 0, limit: 1, isSortedById: false, isByTag: false }
      const [first] = (await channels.list({ ...page, keyword: 'mid' })).items
      expect(await search({ keyword: String(first?.id) })).toEqual(['mid'])
    })
  })

  it('removes channels, disabled ones by one call', async () => {
    const [a, b, c] = [await add(), await add(), await add()]
    await channels.update({ id: a, status: 2 })
    await channels.setAutomatic(b, 3, 'broken')
    expect(await channels.removeDisabled()).toBe(2)
    expect(channels.index().find(a)).toBeUndefined()
    expect(await channels.remove([c, c + 1])).toBe(1)
    expect(selectOne()).toBe('none')
    expect(channels.index().hasModel('m')).toBe(false)
    await expect(channels.remove([])).rejects.toMatchObject({ code: 'channel.ids_missing' })
  })

  it('reads all channels anew when asked, several times at once too', async () => {
    const ids = [await add(), await add(), await add()]
    await services.database.run('UPDATE channels SET models = :models WHERE id = :id', {
      models: 'put-in-by-hand',
      id: ids[0],
    })
    await services.database.run('DELETE FROM channels WHERE id = :id', { id: ids[1] })
    const runs = Array.from({ length: 6 }, () => channels.rebuildRouting())
    expect(await Promise.all(runs)).toEqual([2, 2, 2, 2, 2, 2])
    expect(await channels.enabledModels()).toEqual(['m', 'put-in-by-hand'])
    expect(channels.index().find(ids[1] ?? 0)).toBeUndefined()
  })

  it('keeps what an edit did not touch: only its own channel is opened anew', async () => {
    const [first = 0, second = 0] = await channels.create({ ...channelInput, key: 'sk-a\nsk-b' })
    const before = [first, second].map((id) => channels.index().find(id))
    await channels.update({ id: first, name: 'renamed' })
    await channels.recordTest(second, 12)
    await channels.reload()
    const after = [first, second].map((id) => channels.index().find(id))
    expect(after[0]).toMatchObject({ name: 'renamed' })
    expect(after[1]).toBe(before[1])
  })

  it('routes on another node by a change made here', async () => {
    const bus = createBus()
    const here = await startChannels(services, { bus, nodeId: 'here' })
    const there = await startChannels(services, { bus, nodeId: 'there' })
    await here.create(channelInput)
    await expect.poll(() => there.index().serves('default', 'm')).toBe(true)
    await Promise.all([here.close(), there.close()])
  })

  it('reads the table anew after it was cut off from the other nodes', async () => {
    const bus = createBus()
    const node = await startChannels(services, { bus, nodeId: 'node' })
    await add()
    expect(node.index().serves('default', 'm')).toBe(false)
    await bus.gap()
    expect(node.index().serves('default', 'm')).toBe(true)
    await node.close()
  })

  it('leaves out a channel whose key another master key wrote, and serves the rest', async () => {
    const [bad, good] = [await add(), await add()]
    await services.database.run(`UPDATE channels SET "key" = 'v1:AAAA' WHERE id = :bad`, { bad })
    await channels.reload()
    expect(channels.index().find(bad)).toBeUndefined()
    expect(selectOne()).toBe(good)
  })
})
