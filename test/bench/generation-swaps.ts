// Generations that follow each other under a steady light load: how long a switch takes, whether a call is lost, and what is left in memory.
import type { Answer } from '../harness/api-client.ts'
import { startApp, type App } from '../harness/app.ts'
import { inspectable, Inspector } from '../harness/inspector.ts'
import { addChannel, addCustomer, setPrice } from '../harness/shop.ts'
import { packedPlugin } from '../journeys/plugins/packed-plugin.ts'
import { startCannedUpstream } from './canned-upstream.ts'
import { load } from './load.ts'
import { cpuMicroseconds, residentMegabytes } from './measure.ts'

/** Requests a second of each of three aims, over two connections. */
const RATE = 10
const CONNECTIONS = 2
const WARM_UP = 20
/** Swaps between two looks into the memory. */
const LOOK_EVERY = 25
/** Switched off and on; nothing else needs it. */
const SCREEN = 'pricing'
const ADAPTER_TYPE = 100_000

export interface SwapMemory {
  swaps: number
  rssMegabytes: number
  /** After a full collection. */
  heapMegabytes: number
}

export interface SwapTimes {
  swaps: number
  /** Milliseconds, from the request to its answer. */
  times: { p50: number; p95: number; max: number }
  /** Milliseconds of processor time of the gateway for a swap; the calls meanwhile are in it. */
  cpu: { p50: number; p95: number }
  requests: number
  failures: number
  memory: SwapMemory[]
}

export async function measureSwaps(swaps: number): Promise<SwapTimes> {
  const upstream = await startCannedUpstream()
  const app = await startApp({
    prefix: ['taskset', '-c', '0'],
    env: { LOG_LEVEL: 'info', NODE_OPTIONS: inspectable },
  })
  const inspector = await Inspector.attach(app.process)
  try {
    const aims = await prepare(app, upstream.url)
    const end = new AbortController()
    const options = { connections: CONNECTIONS, seconds: 86_400, rate: RATE, signal: end.signal }
    const loads = aims.map((aim) => load(aim, options))
    await swapTimes(app, WARM_UP)
    const walls: number[] = []
    const cpus: number[] = []
    const memory = [await memoryOf(app, inspector, 0)]
    while (walls.length < swaps) {
      const next = await swapTimes(app, Math.min(LOOK_EVERY, swaps - walls.length))
      walls.push(...next.map(({ wall }) => wall))
      cpus.push(...next.map(({ cpu }) => cpu))
      memory.push(await memoryOf(app, inspector, walls.length))
    }
    end.abort()
    const results = await Promise.all(loads)
    return {
      swaps,
      times: { p50: share(walls, 0.5), p95: share(walls, 0.95), max: Math.max(...walls) },
      cpu: { p50: share(cpus, 0.5), p95: share(cpus, 0.95) },
      requests: results.reduce((sum, { count }) => sum + count, 0),
      failures: results.reduce((sum, { failures }) => sum + failures, 0),
      memory,
    }
  } finally {
    inspector.close()
    await app.close()
    upstream.close()
  }
}

/** An adapter in two versions is installed, and serves a third of the calls while it changes. */
async function prepare(app: App, upstreamUrl: string) {
  for (const version of ['1.0.0', '2.0.0'])
    succeeded(await app.root.sendFile('/api/plugin/upload', packed(version)))
  succeeded(await app.root.switchPlugin('acme', true))
  const models = [
    { model: 'swap-whole', type: 1, answer: 'whole', stream: false },
    { model: 'swap-chat', type: 1, answer: 'chat', stream: true },
    { model: 'swap-acme', type: ADAPTER_TYPE, answer: 'chat', stream: true },
  ] as const
  const { key } = await addCustomer(app.root, 'swapped', 1_000_000_000_000)
  const aims = []
  for (const { model, type, answer, stream } of models) {
    await setPrice(app.root, model, 1)
    await addChannel(app.root, { type, base_url: `${upstreamUrl}/${answer}`, models: model })
    const messages = [{ role: 'user', content: 'Hi' }]
    aims.push({
      url: app.url,
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model, stream, messages }),
    })
  }
  return aims
}

const packed = (version: string) =>
  packedPlugin({
    'index.ts': adapter,
    'package.json': JSON.stringify({ name: 'acme', version, type: 'module' }),
  })

function succeeded({ success, message }: Answer): void {
  if (!success) throw new Error(message)
}

const adapter = `
import { defineAdapter } from 'tollgate/contract'
import { openaiCompatible } from 'tollgate/adapter-kit'
export default defineAdapter({
  id: 'acme',
  channelTypes: { ${ADAPTER_TYPE}: 'Acme' },
  baseUrl: 'https://api.acme.example',
  models: ['swap-acme'],
  summary: 'Chat models of Acme.',
  operations: openaiCompatible(),
})
`

/** One after the other: a plugin goes, the adapter takes its other version, the plugin comes, the adapter goes back. */
async function swapTimes(app: App, count: number): Promise<{ wall: number; cpu: number }[]> {
  const steps = [
    () => app.root.put('/api/plugin/', { id: SCREEN, enabled: false }),
    () => changeAdapter(app, '2.0.0'),
    () => app.root.put('/api/plugin/', { id: SCREEN, enabled: true }),
    () => changeAdapter(app, '1.0.0'),
  ]
  const { pid } = app.process
  const taken: { wall: number; cpu: number }[] = []
  for (let swap = 0; swap < count; swap += 1) {
    const [begin, cpuBefore] = [performance.now(), cpuMicroseconds(pid)]
    await steps[swap % steps.length]?.()
    const cpu = (cpuMicroseconds(pid) - cpuBefore) / 1_000
    taken.push({ wall: performance.now() - begin, cpu })
  }
  return taken
}

async function changeAdapter(app: App, version: string): Promise<void> {
  const { hash } = await app.root.get<{ hash: string }>(`/api/plugin/acme/asks?version=${version}`)
  await app.root.put('/api/plugin/version', { id: 'acme', version, confirm: hash })
}

async function memoryOf(app: App, inspector: Inspector, swaps: number): Promise<SwapMemory> {
  const { heapMegabytes } = await inspector.holdings()
  return { swaps, rssMegabytes: residentMegabytes(app.process.pid), heapMegabytes }
}

function share(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
}
