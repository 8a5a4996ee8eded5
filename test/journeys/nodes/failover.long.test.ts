// A PostgreSQL is killed under load, its standby is promoted, and the address moves: two nodes go on by themselves.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addChannel, addCustomer, type App, balanceOf, fakeUpstream, startApp } from '#test'
import { expectChargedOnce, expectSoundBooks } from '../../harness/books.ts'
import { perCall, sellByCall } from '../../harness/call-shop.ts'
import { hasPostgres } from '../../harness/databases.ts'
import { startStandbyPair, type StandbyPair } from '../../harness/faults/standby.ts'
import { chat } from '../../harness/relay-call.ts'
import { consumptionRows } from '../../harness/shop.ts'
import { startSteadyLoad } from '../../harness/steady-load.ts'

const balance = 100_000_000
const { units, model } = perCall

describe.runIf(hasPostgres).each([
  { name: 'has every commit', isSynchronous: true },
  { name: 'lacks the last commits', isSynchronous: false },
])('a failover to a standby that $name', ({ isSynchronous }) => {
  let servers: StandbyPair
  let upstream: Awaited<ReturnType<typeof fakeUpstream>>
  let nodes: App[]

  beforeEach(async () => {
    servers = await startStandbyPair(isSynchronous)
    upstream = await fakeUpstream()
    const env = { DATABASE_URL: servers.url, SECRET_KEY: 'two gateways and two servers, 32 long' }
    const here = await startApp({ env })
    await sellByCall(here.root, [model])
    await addChannel(here.root, { base_url: upstream.url, models: model })
    nodes = [here, await startApp({ env, isSetUp: false })]
  }, 120_000)

  afterEach(async () => {
    for (const node of nodes) await node.close()
    await upstream.close()
    await servers.close()
  })

  it('leaves sound books, and nodes that serve again', async () => {
    const [here] = nodes as [App, App]
    const customer = await addCustomer(here.root, 'steadfast', balance)
    if (!isSynchronous) await servers.fallBehind()
    const loads = nodes.map(({ url }) =>
      startSteadyLoad(() => ({ url, key: customer.key, model }), 4),
    )
    const answered = () => loads.map((load) => load.answered)
    const further = async (count: number) => {
      const before = answered()
      const isFurther = () => answered().every((now, index) => now >= (before[index] ?? 0) + count)
      await expect.poll(isFurther, { timeout: 60_000, interval: 50 }).toBe(true)
    }
    await further(50)
    await servers.failOver()
    for (const { url } of nodes) {
      const status = async () => (await chat({ url, key: customer.key, model })).status
      await expect.poll(status, { timeout: 60_000, interval: 200 }).toBe(200)
    }
    await further(50)
    const answers = (await Promise.all(loads.map((load) => load.stop()))).flat()
    if (isSynchronous) await expectChargedOnce(here, customer, answers, { units, balance })
    const rows = await consumptionRows(here.root, customer.username)
    expect(new Set(rows.map(({ request_id }) => request_id)).size).toBe(rows.length)
    expect(await balanceOf(customer)).toBe(balance - rows.length * units)
    for (const node of nodes) await node.process.stop()
    await expectSoundBooks(here)
  }, 240_000)
})
