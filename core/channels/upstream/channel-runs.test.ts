import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { defineAdapter } from '../../contract/adapter.ts'
import type { ChannelRunKind } from '../../contract/channel-services.ts'
import type { Usage } from '../../contract/neutral.ts'
import { createCoreServices, type CoreServices } from '../../../test/harness/core-services.ts'
import { databaseKinds } from '../../../test/harness/databases.ts'
import { channelInput, demanding, plain, startChannels } from '../../../test/harness/channels.ts'
import type { Channels } from '../channels.ts'
import type { ChannelProbe, ProbeResult } from './channel-probe.ts'

const actor = { id: 1, username: 'boss', role: 10 }
const sound: ProbeResult = { usage: { input: 8, output: 4 } as Usage }
const broken: ProbeResult = { error: { message: 'HTTP 500' } }
const rich = defineAdapter({ ...plain, id: 'rich', fetchBalance: async () => 5 })

/** Answers at once for channels of that name, and at the abort of the call for others. */
const answersOnly = (...names: string[]): ChannelProbe => ({
  test: ({ name }, _call, signal) =>
    names.includes(name)
      ? Promise.resolve(name === 'bad' ? broken : sound)
      : new Promise((resolve) => signal.addEventListener('abort', () => resolve(broken))),
})

describe.each(databaseKinds)('runs over all channels on $name', (kind) => {
  let services: CoreServices
  const nodes: Channels[] = []

  beforeAll(async () => {
    services = await createCoreServices(kind)
  })
  afterAll(() => services.close())
  afterEach(async () => {
    for (const node of nodes.splice(0)) await node.close()
    for (const table of ['channels', 'logs', 'channel_runs'])
      await services.database.run(`DELETE FROM ${table}`)
  })

  const startNode = async (probe = answersOnly('good', 'bad')) => {
    const node = await startChannels(services, { probe, adapters: [rich, demanding] })
    nodes.push(node)
    return node
  }
  const add = async (node: Channels, ...names: string[]) => {
    const ids: number[] = []
    for (const name of names) ids.push(...(await node.create({ ...channelInput, name })))
    return ids
  }
  const addDemanding = (node: Channels) =>
    node.create({ ...channelInput, type: 41, base_url: 'https://d.example', other: 'eu' })
  const runOf = async (node: Channels, of: ChannelRunKind = 'test') =>
    (await node.runs()).find((run) => run.kind === of)
  const becomes = (node: Channels, expected: object, of?: ChannelRunKind) =>
    expect.poll(() => runOf(node, of), { timeout: 6_000 }).toMatchObject(expected)

  it('says how many channels failed or offer no test, and who began it, when and where', async () => {
    const node = await startNode()
    expect(await node.runs()).toEqual([])
    await add(node, 'good', 'bad', 'good')
    await addDemanding(node)
    await node.testAll(actor)
    await becomes(node, { state: 'done', total: 4, done: 4, failed: 1, skipped: 1 })
    const run = await runOf(node)
    expect(run).toMatchObject({ kind: 'test', username: 'boss', stopped_by: '' })
    expect(run?.host).toContain(`(${process.pid})`)
    expect(Math.abs((run?.started_at ?? 0) - Date.now() / 1000)).toBeLessThan(60)
    expect(run?.ended_at).toBeGreaterThanOrEqual(run?.started_at ?? Infinity)
  })

  it('counts balances, too, and names nobody where the schedule began', async () => {
    const node = await startNode()
    await add(node, 'good')
    await addDemanding(node)
    await node.updateAllBalances()
    await becomes(node, { state: 'done', done: 2, failed: 0, skipped: 1, username: '' }, 'balance')
    await node.updateAllBalances(actor)
    await becomes(node, { state: 'done', done: 2, username: 'boss' }, 'balance')
    await node.testAll(actor, true)
    await becomes(node, { state: 'done', username: '' })
  })

  it('shows other nodes how far it is; they begin no second one, and stop it', async () => {
    const first = await startNode(answersOnly('good', 'bad'))
    const other = await startNode()
    const [, , slow = 0] = await add(first, 'good', 'bad', 'slow', 'slow', 'slow', 'slow', 'slow')
    await other.reload()
    await first.testAll(actor)
    await becomes(other, { state: 'running', total: 7, done: 2, failed: 1, ended_at: 0 })
    await expect(other.testAll(actor)).rejects.toMatchObject({ code: 'channel.test_running' })
    await other.stopRun('balance', actor)
    expect(await runOf(other)).toMatchObject({ state: 'running' })
    await other.stopRun('test', { username: 'root' })
    expect(await runOf(first)).toMatchObject({ state: 'stopping', stopped_by: 'root' })
    await becomes(other, { state: 'stopped', done: 2, failed: 1, username: 'boss' })
    // Nothing is said of channels whose test was cut off.
    expect(await first.find(slow)).toMatchObject({ test_time: 0, test_fault: '', status: 1 })
    await other.testAll(actor)
    await becomes(first, { state: 'running', stopped_by: '', done: 0 })
  })

  it('says so when the node that ran it has ended', async () => {
    const first = await startNode()
    await add(first, 'good', 'slow')
    await first.testAll(actor)
    await becomes(first, { done: 1 })
    await first.close()
    expect(await runOf(await startNode())).toMatchObject({ state: 'lost', done: 1, total: 2 })
  })

  it.each([-40, 3_600])(
    'takes a node whose last note is %d seconds from now for one that was killed',
    async (seconds) => {
      const killed = await startNode()
      const other = await startNode()
      await add(killed, 'slow')
      await other.reload()
      await killed.testAll(actor)
      await services.database.run(
        "UPDATE channel_runs SET claim = 'gone', seen_at = seen_at + :seconds",
        {
          seconds,
        },
      )
      expect(await runOf(other)).toMatchObject({ state: 'lost', username: 'boss' })
      await other.testAll({ ...actor, username: 'root' })
      expect(await runOf(other)).toMatchObject({ state: 'running', username: 'root' })
      // If it lives after all, its end is not taken for that of the other.
      await killed.close()
      expect(await runOf(other)).toMatchObject({ state: 'running', username: 'root' })
    },
  )
})
