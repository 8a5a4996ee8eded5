import { afterEach, describe, expect, it, vi } from 'vitest'
import { migratePlugin } from '../../core/data/migrate.ts'
import { type CoreServices, createCoreServices } from '../../test/harness/core-services.ts'
import { databaseKinds, quietLog } from '../../test/harness/databases.ts'
import { Figures } from './figures.ts'
import cache from './index.ts'

describe.each(databaseKinds)('figures of the response cache on $name', (kind) => {
  let core: CoreServices
  afterEach(() => core.close())

  it('are sums over all nodes, and survive a database that is away', async () => {
    core = await createCoreServices(kind)
    const { database } = core
    await migratePlugin(database, cache, quietLog)
    // All of it on one day, also at midnight.
    vi.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 4, 2))
    const nodes = [1, 2].map(() => new Figures({ database, log: quietLog }))
    for (const node of nodes) {
      node.hit(90)
      node.miss()
    }
    const run = database.run.bind(database)
    database.run = () => Promise.reject(new Error('away'))
    await nodes[0]?.flush()
    database.run = run
    nodes[0]?.miss()
    await Promise.all(nodes.map((node) => node.flush()))
    expect(await nodes[1]?.days()).toEqual([{ day: '2026-05-02', hits: 2, misses: 3, saved: 180 }])
    await database.run("UPDATE response_cache__days SET day = '2020-01-01'")
    await nodes[1]?.sweep()
    expect(await database.select('SELECT day FROM response_cache__days')).toEqual([])
  })
})
