// Nodes of one cluster in this process, whose transports are cut at random times while everything that the bus keeps true changes.
import { tmpdir } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createPostgres, hasPostgres, type TestDatabase } from '../../harness/databases.ts'
import { createRedis, hasRedis, type TestRedis } from '../../harness/redis.ts'
import { closeNode, type Node, startNode } from './node-in-process.ts'

/** What all nodes should know in the end. */
interface Truth {
  name: string
  modelRatio: number
  groupRatio: number
  weight: number
  channelStatus: number
  tokenStatus: number
  userStatus: number
  plugin: boolean
}

interface Cluster {
  nodes: readonly Node[]
  truth: Truth
  database: TestDatabase
  redis: TestRedis | undefined
  ids: { user: number; token: number; channel: number }
  /** Of the token. */
  key: string
  close(): Promise<void>
}

/** On and off without another plugin's leave. */
const pluginId = 'home'
const model = 'model-of-the-test'
const tag = 'cut'
const nodeCount = 3

const transports = [
  ...(hasPostgres ? [{ name: 'PostgreSQL', isOverRedis: false }] : []),
  ...(hasPostgres && hasRedis ? [{ name: 'Redis and PostgreSQL', isOverRedis: true }] : []),
]

/** @param cuts how often a transport is cut while all of it changes: on a busy machine it changes less often meanwhile */
export function describeCuts({ cuts, limitMs }: { cuts: number; limitMs: number }): void {
  describe.each(transports)(`three nodes over $name, cut off ${cuts} times`, (transport) => {
    it('know in the end what was changed meanwhile', { timeout: limitMs }, async () => {
      const cluster = await startCluster(transport)
      try {
        await changeUnderCuts(cluster, cuts)
        await expectTruth(cluster)
        await changeUnheard(cluster)
        await expectTruth(cluster)
      } finally {
        await cluster.close()
      }
    })
  })
}

async function expectTruth(cluster: Cluster): Promise<void> {
  for (const node of cluster.nodes)
    await expect.poll(() => knownBy(node, cluster)).toEqual(cluster.truth)
}

async function startCluster({ isOverRedis }: { isOverRedis: boolean }): Promise<Cluster> {
  const database = await createPostgres()
  const redis = isOverRedis ? await createRedis() : undefined
  const nodes: Node[] = []
  for (let count = 0; count < nodeCount; count += 1) {
    const env = { DATABASE_URL: database.settings.url ?? '', DATA_DIR: tmpdir() }
    nodes.push(await startNode(env, redis?.url))
  }
  const made = await furnish(nodes[0] as Node)
  return {
    ...made,
    nodes,
    database,
    redis,
    truth: {
      name: 'Tollgate',
      modelRatio: 1,
      groupRatio: 1,
      weight: 1,
      channelStatus: 1,
      tokenStatus: 1,
      userStatus: 1,
      plugin: true,
    },
    close: async () => {
      for (const node of nodes) await closeNode(node)
      await redis?.close()
      await database.close()
    },
  }
}

async function furnish({ services }: Node) {
  const { id: user } = await services.accounts.create({
    username: 'ada',
    password: 'correct horse',
    by: 'setup',
  })
  const token = await services.tokens.create(user, { name: 'laptop', unlimited_quota: true })
  await services.options.set('ModelRatio', JSON.stringify({ [model]: 1 }))
  const [channel = 0] = await services.channels.create({
    type: 1,
    name: 'one',
    key: 'sk-of-the-test',
    models: model,
    group: 'default',
    weight: 1,
    tag,
  })
  return { key: token.key, ids: { user, token: token.id, channel } }
}

/** Asking keeps the caches of the node warm: what it knows is what its next request would be served by. */
async function knownBy({ services, host }: Node, cluster: Cluster): Promise<Truth> {
  const price = services.pricing.snapshot(model, 'default', { acceptUnset: true, isAdmin: true })
  const identity = await services.tokens.authenticate(cluster.key)
  const channel = services.channels.index().find(cluster.ids.channel)
  return {
    name: services.options.get<string>('SystemName'),
    modelRatio: price.modelRatio,
    groupRatio: price.groupRatio,
    weight: channel?.weight ?? -1,
    channelStatus: channel?.status ?? -1,
    tokenStatus: identity?.status ?? -1,
    userStatus: identity?.userStatus ?? -1,
    plugin: host.current.loaded.has(pluginId),
  }
}

/** One change of each kind, each on a node of its own choice. */
async function changeAll(cluster: Cluster, turn: number, random: () => number): Promise<void> {
  const { truth, ids } = cluster
  const flip = (status: number): number => 3 - status
  const changes: ((node: Node) => Promise<unknown>)[] = [
    ({ services }) => services.options.set('SystemName', (truth.name = `name ${turn}`)),
    ({ services }) =>
      services.options.set('ModelRatio', JSON.stringify({ [model]: (truth.modelRatio = turn) })),
    ({ services }) =>
      services.options.set('GroupRatio', JSON.stringify({ default: (truth.groupRatio = turn) })),
    ({ services }) => services.channels.update({ id: ids.channel, weight: (truth.weight = turn) }),
    ({ services }) =>
      services.channels.setTagStatus(tag, (truth.channelStatus = flip(truth.channelStatus))),
    ({ services }) =>
      services.tokens.setStatus(ids.user, ids.token, (truth.tokenStatus = flip(truth.tokenStatus))),
    ({ services }) =>
      services.accounts.update(ids.user, { status: (truth.userStatus = flip(truth.userStatus)) }),
    ({ host }) => host.setEnabled(pluginId, (truth.plugin = !truth.plugin)),
  ]
  for (const change of changes) {
    await change(cluster.nodes[Math.floor(random() * nodeCount)] as Node)
    await Promise.all(cluster.nodes.map((node) => knownBy(node, cluster)))
  }
}

/** Changes, all of it once at least, while one transport after the other is cut for a moment; both are back in the end. */
async function changeUnderCuts(cluster: Cluster, cuts: number): Promise<void> {
  const { random } = Math
  let left = cuts
  const end = () => void (left = 0)
  const cutting = (async () => {
    for (; left > 0; left -= 1) {
      await wait(random() * 200)
      await (cluster.redis && random() < 0.5 ? cutRedis(cluster.redis) : cutListeners(cluster, 0.7))
    }
  })().finally(end)
  const changing = (async () => {
    for (let turn = 2; turn === 2 || left > 0; turn += 1) await changeAll(cluster, turn, random)
  })().finally(end)
  await Promise.all([changing, cutting])
}

/** What a node misses while it is cut off, made certain: rows change and nobody is told, then one of the transports breaks. */
async function changeUnheard(cluster: Cluster): Promise<void> {
  const { truth, ids, database } = cluster
  Object.assign(truth, { name: 'unheard', modelRatio: 77, groupRatio: 78, weight: 79 })
  Object.assign(truth, { channelStatus: 1, tokenStatus: 2, userStatus: 2, plugin: false })
  const options = {
    SystemName: truth.name,
    ModelRatio: JSON.stringify({ [model]: truth.modelRatio }),
    GroupRatio: JSON.stringify({ default: truth.groupRatio }),
  }
  for (const [key, value] of Object.entries(options)) {
    await database.database.run('UPDATE options SET value = :value WHERE "key" = :key', {
      key,
      value,
    })
  }
  const statements = [
    `UPDATE channels SET weight = ${truth.weight}, status = 1 WHERE id = ${ids.channel}`,
    `UPDATE tokens SET status = ${truth.tokenStatus} WHERE id = ${ids.token}`,
    `UPDATE users SET status = ${truth.userStatus} WHERE id = ${ids.user}`,
    `UPDATE plugins SET enabled = FALSE WHERE id = '${pluginId}'`,
  ]
  for (const sql of statements) await database.database.run(sql)
  await (cluster.redis ? cutRedis(cluster.redis) : cutListeners(cluster, 1))
}

async function cutRedis(redis: TestRedis): Promise<void> {
  await redis.stop()
  await wait(Math.random() * 500)
  await redis.start()
}

/** `share` of them, chosen at random. */
async function cutListeners({ database }: Cluster, share: number): Promise<void> {
  await database.database.select(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'tollgate cluster' AND datname = current_database() AND random() < ${share}`,
  )
}
