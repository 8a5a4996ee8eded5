import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { driverKinds, quietLog, type TestDatabase } from '../../../test/harness/databases.ts'
import { createUsageLog } from '../../logs/usage-log.ts'
import { migrate } from '../migrate.ts'

describe.each(driverKinds)('the step to milliseconds on $name', ({ create }) => {
  let test: TestDatabase

  beforeAll(async () => {
    test = await create()
    const { database } = test
    await database.run(`DELETE FROM schema_steps WHERE name = '0008-log-milliseconds'`)
    await database.run('ALTER TABLE logs RENAME COLUMN use_time_ms TO use_time')
    await database.run(
      'INSERT INTO logs (user_id, created_at, type, use_time) VALUES (1, 1, 2, 0), (1, 2, 2, 17)',
    )
    await migrate(database, quietLog)
  })

  afterAll(() => test.close())

  it('keeps what older rows took', async () => {
    const usageLog = createUsageLog({ database: test.database })
    const { items } = await usageLog.list({}, { page: 1, pageSize: 10 })
    expect(items).toMatchObject([
      { use_time_ms: 17_000, use_time: 17 },
      { use_time_ms: 0, use_time: 0 },
    ])
  })
})
