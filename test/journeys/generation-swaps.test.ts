import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  type Customer,
  fakeUpstream,
  type FakeUpstream,
  setPrice,
  startApp,
} from '#test'
import { startSteadyLoad } from '../harness/steady-load.ts'

const swaps = 100
const workers = 8
const model = 'swap-model'
/** Switched off and on; nothing else needs it. */
const plugin = 'pricing'
/** Beyond this, a hundred generations were kept. One holds several megabytes of routes and schemas. */
const allowedGrowthMegabytes = 80

let app: App
let upstream: FakeUpstream
let customer: Customer

beforeAll(async () => {
  upstream = await fakeUpstream({ delayMs: 5 })
  app = await startApp()
  await setPrice(app.root, model, 1)
  await addChannel(app.root, { base_url: upstream.url, models: model })
  customer = await addCustomer(app.root, 'swapped', 1_000_000_000)
})

afterAll(async () => {
  await app.close()
  await upstream.close()
})

describe('100 generation swaps under load', () => {
  it('fails no request, cuts no stream and keeps no old generation in memory', async () => {
    const load = startSteadyLoad(() => ({ url: app.url, key: customer.key, model }), workers)
    const memory: number[] = []
    const durations: number[] = []
    for (let swap = 0; swap < swaps; swap++) {
      const begin = performance.now()
      await app.root.put('/api/plugin/', { id: plugin, enabled: swap % 2 === 1 })
      durations.push(performance.now() - begin)
      if (swap % 10 === 9) memory.push(residentMegabytes())
    }
    const answers = await load.stop()
    const failed = answers.filter(({ status, isComplete }) => status !== 200 || !isComplete)
    expect(failed).toEqual([])
    expect(answers.length).toBeGreaterThan(swaps)
    // The first tenth warms caches up and compiles code; from then on memory stays level.
    const growth = Math.min(...memory.slice(-3)) - Math.max(...memory.slice(0, 2))
    expect(growth).toBeLessThan(allowedGrowthMegabytes)
    expect(median(durations)).toBeLessThan(300 * slowMachine)
  }, 180_000)

  it('takes the routes of a plugin away and brings them back', async () => {
    const status = async () => (await app.root.call('GET', '/api/pricing')).status
    expect(await status()).toBe(200)
    await app.root.put('/api/plugin/', { id: plugin, enabled: false })
    expect(await status()).toBe(404)
    await app.root.put('/api/plugin/', { id: plugin, enabled: true })
    expect(await status()).toBe(200)
  })
})

/** The goal of 300 ms is for a gateway that has a core for itself; here load and tests share two. */
const slowMachine = 4

function residentMegabytes(): number {
  const status = readFileSync(`/proc/${app.process.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
