// Of what an index is made: of rows that were read and of the adapters that serve. The rest of routing is in channels.test.ts.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createBus,
  createCoreServices,
  type CoreServices,
} from '../../../test/harness/core-services.ts'
import { channelInput, demanding, plain, startChannels } from '../../../test/harness/channels.ts'
import { databaseKinds } from '../../../test/harness/databases.ts'
import type { Adapter } from '../../contract/adapter.ts'
import type { Channels } from '../channels.ts'

const [sqlite] = databaseKinds
if (sqlite === undefined) throw new Error('there is no database to test with')

let services: CoreServices

beforeAll(async () => {
  services = await createCoreServices(sqlite)
})
afterAll(() => services.close())
beforeEach(() => services.database.run('DELETE FROM channels'))

/** Straight into the table, as another node writes it. */
async function addRows(count: number): Promise<void> {
  const sealed = services.secrets.encrypt('sk-many')
  for (let start = 0; start < count; start += 500) {
    const rows = Array.from({ length: Math.min(500, count - start) }, (_, at) => {
      const number = start + at
      return `(1, :sealed, '', 'channel ${number}', 0, 'https://many.example', 'm,m-${number % 7}', 'default')`
    })
    await services.database.run(
      `INSERT INTO channels (type, "key", key_hash, name, created_time, base_url, models, "group") VALUES ${rows.join()}`,
      { sealed },
    )
  }
}

const idsOf = (channels: Channels) => [...channels.index().all()].map(({ id }) => id)
const serves = (channels: Channels, model: string) => channels.index().serves('default', model)

describe('the adapters of a table of channels', () => {
  it('are asked once for a list, however many channels it has', async () => {
    let asked = 0
    const adapters = () => {
      asked += 1
      return [plain, demanding]
    }
    const channels = await startChannels(services, { adapters })
    await addRows(1_000)
    asked = 0
    const query = { offset: 0, limit: 1_000, isSortedById: true, isByTag: false }
    expect((await channels.list(query)).items).toHaveLength(1_000)
    expect(asked).toBe(1)
    await channels.close()
  })

  it('are taken anew when they change, without a channel of another being opened', async () => {
    let adapters: readonly Adapter[] = [plain, demanding]
    const channels = await startChannels(services, { adapters: () => adapters })
    const [first = 0] = await channels.create({ ...channelInput, models: 'of-plain' })
    const other = { type: 41, base_url: 'https://d.example', other: 'here', models: 'of-demanding' }
    const [second = 0] = await channels.create({ ...channelInput, ...other })
    const before = channels.index().find(first)
    adapters = [plain]
    await channels.useAdapters()
    expect([serves(channels, 'of-plain'), serves(channels, 'of-demanding')]).toEqual([true, false])
    expect(channels.index().find(first)).toBe(before)
    expect(channels.index().find(second)?.adapter).toBeUndefined()
    adapters = [{ ...demanding, baseUrl: 'https://next.example' }, plain]
    await channels.useAdapters()
    expect(serves(channels, 'of-demanding')).toBe(true)
    expect(channels.index().find(first)).toBe(before)
    expect(channels.index().find(second)?.adapter).toBe(adapters[0])
    await channels.close()
  })

  it('leave the index as it is when they are the same', async () => {
    const channels = await startChannels(services)
    await channels.create(channelInput)
    const before = channels.index()
    await channels.useAdapters()
    expect(channels.index()).toBe(before)
    await channels.close()
  })
})

describe('a table of many channels', () => {
  it('is in force as a whole or not at all, and edits meanwhile are in force with it', async () => {
    const channels = await startChannels(services)
    await addRows(1_500)
    const sizes = new Set<number>()
    const watch = setInterval(() => sizes.add(idsOf(channels).length))
    const reading = channels.reload()
    await services.database.run(`UPDATE channels SET models = 'edited' WHERE name = 'channel 3'`)
    await Promise.all([reading, channels.rebuildRouting()])
    clearInterval(watch)
    expect([...sizes].filter((size) => size !== 0 && size !== 1_500)).toEqual([])
    expect(idsOf(channels)).toHaveLength(1_500)
    expect(serves(channels, 'edited')).toBe(true)
    await channels.close()
  })

  it('has what the table has after edits side by side, here and on another node', async () => {
    await addRows(60)
    const bus = createBus()
    const here = await startChannels(services, { bus, nodeId: 'here' })
    const there = await startChannels(services, { bus, nodeId: 'there' })
    const ids = idsOf(here)
    await Promise.all([
      ...ids.slice(0, 40).map((id, at) => {
        const node = at % 2 === 0 ? here : there
        return node.update({ id, models: `own-${id}`, key: `sk-${id}` })
      }),
      here.remove(ids.slice(50)),
      bus.gap(),
      there.setAutomatic(ids[45] ?? 0, 3, 'no more'),
    ])
    const routesOf = (channels: Channels) =>
      [...channels.index().all()]
        .map(({ id, keys, status, view }) => ({ id, keys, status, models: view.models }))
        .sort((left, right) => left.id - right.id)
    const expected = ids.slice(0, 50).map((id, at) => ({
      id,
      keys: at < 40 ? [`sk-${id}`] : ['sk-many'],
      status: at === 45 ? 3 : 1,
      models: at < 40 ? [`own-${id}`] : expect.arrayContaining(['m']),
    }))
    await expect.poll(() => routesOf(here)).toEqual(expected)
    await expect.poll(() => routesOf(there)).toEqual(expected)
    await Promise.all([here.close(), there.close()])
  })

  it('tells the same offer until a model comes or goes', async () => {
    await addRows(20)
    const channels = await startChannels(services)
    const [first = 0] = idsOf(channels)
    const before = await channels.groupsOfModels()
    await channels.setAutomatic(first, 3, 'no more')
    await channels.update({ id: first + 1, priority: 9 })
    expect(await channels.groupsOfModels()).toBe(before)
    await channels.update({ id: first + 1, models: 'm,newcomer' })
    expect([...(await channels.groupsOfModels()).keys()]).toContain('newcomer')
    await channels.update({ id: first + 1, models: 'm' })
    expect([...(await channels.groupsOfModels()).keys()]).not.toContain('newcomer')
    await channels.close()
  })
})
