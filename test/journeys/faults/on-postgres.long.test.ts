// The journeys of faults and prices that run on SQLite by themselves, once more on PostgreSQL: where a settlement crosses a network, an answer ends
// after more turns, and what is cut off is cut off elsewhere.
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { createPostgres, hasPostgres, type TestDatabase } from '../../harness/databases.ts'

const journeys: readonly [what: string, load: () => Promise<unknown>][] = [
  ['upstreams', () => import('./upstream-faults.test.ts')],
  ['odd answers', () => import('./odd-answers.test.ts')],
  ['clocks', () => import('./clock-jumps.test.ts')],
  ['overload', () => import('./overload.test.ts')],
  ['a provider that is out', () => import('./provider-out.test.ts')],
  ['clients that leave', () => import('../calls/client-leaves.test.ts')],
  ['hostile bodies', () => import('../calls/hostile-bodies.test.ts')],
  ['absurd usage', () => import('../money/absurd-usage.test.ts')],
  ['prices worked out by hand', () => import('../money/hand-worked.test.ts')],
  ['prices of long prompts', () => import('../money/long-prompts.test.ts')],
  ['SIGTERM', () => import('../operation/graceful-stop.test.ts')],
]

describe.runIf(hasPostgres).each(journeys)('on PostgreSQL, %s', async (_what, load) => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await createPostgres()
    // startApp leads its gateways there.
    process.env.TEST_GATEWAY_DATABASE = database.settings.url
  })

  afterAll(async () => {
    delete process.env.TEST_GATEWAY_DATABASE
    const users = await database.database.select('SELECT id FROM users')
    expect(users.length).toBeGreaterThan(0)
    await database.close()
  })

  await load()
})
