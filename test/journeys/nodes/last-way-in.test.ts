// What each of two changes leaves open, both may shut: on two nodes at the same moment, by an option and by a plugin.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type GatewayDatabase, gatewayDatabases } from '../../harness/gateway-databases.ts'
import { closeNode, type Node, startNode } from './node-in-process.ts'

const rounds = 6
const github = 'auth-github'
const shutPassword = ({ services }: Node) => services.options.set('PasswordLoginEnabled', 'false')
const shutGithub = ({ services }: Node) => services.options.set('GitHubOAuthEnabled', 'false')
const dropGithub = ({ host }: Node) => host.setEnabled(github, false)

describe.each(gatewayDatabases)('the last way in, on $name', ({ name, open }) => {
  let database: GatewayDatabase
  let dataDir: string
  let nodes: Node[]

  beforeAll(async () => {
    database = await open()
    dataDir = await mkdtemp(join(tmpdir(), 'tollgate-test-'))
    // SQLite serves one process: there the two changes are of one node.
    nodes = []
    for (let count = name === 'SQLite' ? 1 : 2; count > 0; count -= 1)
      nodes.push(await startNode({ ...database.env, DATA_DIR: dataDir }))
  })

  afterAll(async () => {
    for (const node of nodes) await closeNode(node)
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  beforeEach(async () => {
    await one().host.setEnabled(github, true)
    await openAll()
  })

  const one = () => nodes[0] as Node
  const other = () => nodes.at(-1) as Node

  async function openAll(): Promise<void> {
    const { options } = one().services
    await options.setMany({ GitHubClientId: 'id', PasswordLoginEnabled: 'true' })
    await options.set('GitHubOAuthEnabled', 'true')
    await Promise.all(nodes.map(({ services }) => services.options.load()))
  }

  const outcome = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: { code?: string }) => error.code ?? 'failed',
    )

  it('outlives two options that are switched off at once, whichever comes first', async () => {
    for (let round = 0; round < rounds; round += 1) {
      await openAll()
      const both = await Promise.all([outcome(shutPassword(one())), outcome(shutGithub(other()))])
      expect(both.sort()).toEqual(['done', 'sign_in.no_way_in'])
    }
  })

  it('outlives an option that is switched off beside its plugin', async () => {
    for (let round = 0; round < 3; round += 1) {
      await one().host.setEnabled(github, true)
      await openAll()
      const both = await Promise.all([outcome(dropGithub(one())), outcome(shutPassword(other()))])
      expect(both.sort()).toEqual(['done', 'sign_in.no_way_in'])
      expect(other().services.options.get('PasswordLoginEnabled')).toBe(
        one().services.options.get('PasswordLoginEnabled'),
      )
    }
  })

  it('counts what another node has stored, and this one has not heard of', async () => {
    await one().services.database.run(
      `UPDATE options SET value = 'false' WHERE "key" = 'PasswordLoginEnabled'`,
    )
    expect(await outcome(shutGithub(other()))).toBe('sign_in.no_way_in')
    expect(await outcome(dropGithub(other()))).toBe('sign_in.no_way_in')
  })
})
