import { afterEach, describe, expect, it, vi } from 'vitest'
import { type CoreServices, createCoreServices } from '../../test/harness/core-services.ts'
import { databaseKinds, quietLog } from '../../test/harness/databases.ts'
import { migratePlugin } from '../../core/data/migrate.ts'
import { MaskingCounts } from './counts.ts'
import masking from './index.ts'

describe.each(databaseKinds)('counts of what was found on $name', (kind) => {
  let core: CoreServices
  afterEach(() => core.close())

  it('are sums over all nodes and starts', async () => {
    core = await createCoreServices(kind)
    await migratePlugin(core.database, masking, quietLog)
    // All of it on one day, also at midnight.
    vi.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 4, 2))
    const nodes = [1, 2].map(() => new MaskingCounts({ database: core.database, log: quietLog }))
    for (const node of nodes) {
      node.add(new Map([['email', 2]]))
      node.add(new Map([['phone', 1]]))
    }
    await Promise.all(nodes.map((node) => node.flush()))
    const late = new MaskingCounts({ database: core.database, log: quietLog })
    expect(await late.figures()).toEqual({
      days: [{ day: '2026-05-02', kinds: { email: 4, phone: 2 } }],
      calls: { week: 4, month: 4 },
    })
    await core.database.run(
      "INSERT INTO pii_masking__counts (day, kind, count) VALUES ('2020-01-01', 'email', 7)",
    )
    await late.sweep()
    const rows = await core.database.select<{ day: string }>('SELECT day FROM pii_masking__counts')
    expect(rows.map(({ day }) => day)).not.toContain('2020-01-01')
  })
})
