import { describe, expect, it } from 'vitest'
import { databaseKinds } from '../../harness/databases.ts'
import { hasRedis } from '../../harness/redis.ts'
import { changeUnderCuts, changeUnheard, type Cluster, knownBy, startCluster } from './bus-cuts.ts'

const hasPostgres = databaseKinds.some(({ name }) => name === 'PostgreSQL')
const transports = [
  ...(hasPostgres ? [{ name: 'PostgreSQL', hasRedis: false }] : []),
  ...(hasPostgres && hasRedis ? [{ name: 'Redis and PostgreSQL', hasRedis: true }] : []),
]

async function expectTruth(cluster: Cluster): Promise<void> {
  for (const node of cluster.nodes) {
    await expect.poll(() => knownBy(node, cluster), { timeout: 30_000 }).toEqual(cluster.truth)
  }
}

describe.each(transports)('three nodes over $name, cut off for minutes', (transport) => {
  it('know in the end what was changed meanwhile', async () => {
    const cluster = await startCluster(transport)
    try {
      await changeUnderCuts(cluster, 600)
      await expectTruth(cluster)
      await changeUnheard(cluster)
      await expectTruth(cluster)
    } finally {
      await cluster.close()
    }
  })
})
