// Switches of plugins under load: no failed call, no memory and no timer left behind. generation-swaps.long.test.ts goes on with 300.
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
import { type Holdings, inspectable, Inspector } from '../../harness/inspector.ts'
import { startSteadyLoad } from '../../harness/steady-load.ts'

const swaps = 20
const workers = 4
const model = 'swap-model'
/** Switched off and on; nothing else needs it. */
const plugin = 'pricing'
/** One generation holds about a megabyte of routes and schemas: twenty kept ones would be far above this. */
const allowedGrowthMegabytes = 10
/** Of the gateway for each swap, with the calls of that time. The goal is 300 ms without any. */
const mostProcessorMs = 1_000
/** What the workers get in a second, as the upstream takes 25 ms for each and the rest eight. On a busy machine they wait as the swap does. */
const mostAnswersMeanwhile = (workers * 1_000) / 33

let app: App
let upstream: FakeUpstream
let customer: Customer
let inspector: Inspector

beforeAll(async () => {
  // An answer takes as long as a switch: each switch meets open ones, and the machine is not kept busy by a crowd of short ones.
  upstream = await fakeUpstream({ delayMs: 25 })
  app = await startApp({ env: { NODE_OPTIONS: inspectable } })
  await setPrice(app.root, model, 1)
  await addChannel(app.root, { base_url: upstream.url, models: model })
  customer = await addCustomer(app.root, 'swapped', 1_000_000_000)
  inspector = await Inspector.attach(app.process)
})

afterAll(async () => {
  inspector.close()
  await app.close()
  await upstream.close()
})

/** Swaps generations under load and lets everything come to rest. */
async function swapUnderLoad(count: number) {
  const load = startSteadyLoad(() => ({ url: app.url, key: customer.key, model }), workers)
  const meanwhile: number[] = []
  for (let swap = 0; swap < count; swap++) {
    const before = load.answered
    await app.root.put('/api/plugin/', { id: plugin, enabled: swap % 2 === 1 })
    meanwhile.push(load.answered - before)
  }
  return { answers: await load.stop(), meanwhile }
}

describe('generation swaps under load', () => {
  it('fail no request, cut no stream, and leave no memory and no timer behind', async () => {
    await swapUnderLoad(4)
    const before = await inspector.holdings()
    const usedBeforeMs = await inspector.processorMs()
    const { answers, meanwhile } = await swapUnderLoad(swaps)
    const failed = answers.filter(({ status, isComplete }) => status !== 200 || !isComplete)
    expect(failed).toEqual([])
    expect(answers.length).toBeGreaterThan(swaps)
    const processorMs = (await inspector.processorMs()) - usedBeforeMs
    expect(processorMs / swaps).toBeLessThan(mostProcessorMs)
    expect(median(meanwhile)).toBeLessThan(mostAnswersMeanwhile)
    const after = await inspector.holdings()
    expect(after.heapMegabytes - before.heapMegabytes).toBeLessThan(allowedGrowthMegabytes)
    expect(timersOf(after)).toBeLessThanOrEqual(timersOf(before) + 3)
  }, 900_000)

  it('take the routes of a plugin away and bring them back', async () => {
    const status = async () => (await app.root.call('GET', '/api/pricing')).status
    expect(await status()).toBe(200)
    await app.root.put('/api/plugin/', { id: plugin, enabled: false })
    expect(await status()).toBe(404)
    await app.root.put('/api/plugin/', { id: plugin, enabled: true })
    expect(await status()).toBe(200)
  })
})

function timersOf({ resources }: Holdings): number {
  return (resources['Timeout'] ?? 0) + (resources['Immediate'] ?? 0)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
