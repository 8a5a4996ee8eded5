// Minutes of mixed traffic at a steady rate: whether the memory of the process comes to rest.
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { load } from './load.ts'
import { residentMegabytes } from './measure.ts'
import { scenarios } from './scenarios.ts'
import { startCannedUpstream } from './canned-upstream.ts'
import { type Aim, startMeteredGateway } from './targets.ts'

/** Requests a second of each scenario. */
const RATE = 40
const CONNECTIONS = 4
const SAMPLE_MS = 5_000
/** Clients that leave after the first bytes, a second. */
const LEAVING = 10

export interface MixedTraffic {
  minutes: number
  requests: number
  failures: number
  /** Megabytes: the median of each minute. */
  byMinute: number[]
}

export async function measureMixedTraffic(minutes: number): Promise<MixedTraffic> {
  const upstream = await startCannedUpstream()
  const urls = { whole: upstream.url, dripping: upstream.url }
  const gateway = await startMeteredGateway(urls, 'sqlite', scenarios)
  try {
    const aims = scenarios.flatMap((scenario) => gateway.aim(scenario) ?? [])
    const seconds = minutes * 60
    const end = new AbortController()
    const samples = sampled(gateway.pid ?? 0, end.signal)
    const leaving = leave(
      aims.find(({ body }) => body.includes('"stream":true')),
      end.signal,
    )
    const options = { connections: CONNECTIONS, seconds, rate: RATE }
    const results = await Promise.all(aims.map((aim) => load(aim, options)))
    end.abort()
    await leaving
    return {
      minutes,
      requests: results.reduce((sum, { count }) => sum + count, 0),
      failures: results.reduce((sum, { failures }) => sum + failures, 0),
      byMinute: mediansByMinute(await samples),
    }
  } finally {
    await gateway.close()
    upstream.close()
  }
}

async function sampled(pid: number, signal: AbortSignal): Promise<number[]> {
  const samples: number[] = []
  while (!signal.aborted) {
    await wait(SAMPLE_MS, undefined, { signal }).catch(() => undefined)
    if (!signal.aborted) samples.push(residentMegabytes(pid))
  }
  return samples
}

function mediansByMinute(samples: readonly number[]): number[] {
  const perMinute = 60_000 / SAMPLE_MS
  return Array.from({ length: Math.floor(samples.length / perMinute) }, (_, minute) => {
    const own = samples.slice(minute * perMinute, (minute + 1) * perMinute)
    return own.toSorted((a, b) => a - b)[Math.floor(own.length / 2)] ?? Number.NaN
  })
}

/** Clients that go away while their stream is on its way. */
async function leave(aim: Aim | undefined, signal: AbortSignal): Promise<void> {
  if (!aim) return
  const { hostname, port, host } = new URL(aim.url)
  const headers = Object.entries(aim.headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `POST ${aim.path} HTTP/1.1\r\nhost: ${host}\r\n${headers.join('')}content-type: application/json\r\n`
  while (!signal.aborted) {
    const socket = connect({ host: hostname, port: Number(port) })
    socket.on('error', () => socket.destroy())
    socket.once('data', () => socket.destroy())
    socket.write(`${head}content-length: ${Buffer.byteLength(aim.body)}\r\n\r\n${aim.body}`)
    await wait(1_000 / LEAVING)
  }
}
