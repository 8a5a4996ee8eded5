import { readFileSync } from 'node:fs'
import { load, type LoadResult } from './load.ts'
import { eventsOf, type Scenario } from './scenarios.ts'
import type { Aim, Target } from './targets.ts'

export interface Plan {
  seconds: number
  rounds: number
  connections: number
}

/** The median of the rounds, and between what they lay. */
export interface Figure {
  median: number
  least: number
  most: number
}

export interface Measured {
  scenario: Scenario
  connections: number
  target: string
  requestsPerSecond: Figure
  /** Requests per second beside the bare proxy's of the same round. */
  ratio: Figure
  /** Processor time of the process for one request, in microseconds: what a busy machine disturbs least. */
  cpuMicroseconds: Figure
  /** The bare proxy's beside it. */
  cpuRatio: Figure
  cpuPerEvent: number | undefined
  rssMegabytes: number
  failures: number
}

interface Round extends LoadResult {
  cpuMicroseconds: number
}

/** Proxy and gateways take turns in every round, so that a machine whose speed drifts disturbs all alike. The first target is the proxy. */
export async function measureScenario(
  scenario: Scenario,
  targets: readonly Target[],
  plan: Plan,
): Promise<Measured[]> {
  const aimed = targets.flatMap((target) => {
    const aim = target.aim(scenario)
    return aim ? [{ target, aim, rounds: [] as Round[] }] : []
  })
  for (const { aim } of aimed) await load(aim, plan)
  for (let round = 0; round < plan.rounds; round++)
    for (const { target, aim, rounds } of aimed) rounds.push(await measureRound(target, aim, plan))
  const proxy = aimed[0]?.rounds ?? []
  return aimed.map(({ target, rounds }) => {
    const beside = (read: (own: Round, bare: Round) => number) =>
      figure(rounds.map((own, at) => read(own, proxy[at] as Round)))
    const cpu = figure(rounds.map((round) => round.cpuMicroseconds))
    const events = eventsOf(scenario)
    return {
      scenario,
      connections: plan.connections,
      target: target.name,
      requestsPerSecond: figure(rounds.map((round) => round.requestsPerSecond)),
      ratio: beside((own, bare) => own.requestsPerSecond / bare.requestsPerSecond),
      cpuMicroseconds: cpu,
      cpuRatio: beside((own, bare) => bare.cpuMicroseconds / own.cpuMicroseconds),
      cpuPerEvent: events === 1 ? undefined : cpu.median / events,
      rssMegabytes: target.pid === undefined ? Number.NaN : residentMegabytes(target.pid),
      failures: rounds.reduce((sum, { failures }) => sum + failures, 0),
    }
  })
}

export interface AddedLatency {
  scenario: Scenario
  target: string
  requestsPerSecond: number
  /** Milliseconds to the first byte, above the upstream asked directly at the same rate. */
  p50: number
  p99: number
}

/** One pause of 20 ms is the p99 of two seconds. */
export const LATENCY_ROUNDS = 5

/** At half of what the target can do. */
export async function measureLatency(
  scenario: Scenario,
  target: Target,
  upstream: Pick<Aim, 'url'>,
  capacity: number,
  { seconds, connections }: Plan,
): Promise<AddedLatency | undefined> {
  const aim = target.aim(scenario)
  if (!aim) return undefined
  const options = { connections, seconds, rate: capacity / 2 }
  const direct = { ...upstream, path: `/${scenario.answer}/`, headers: {}, body: scenario.body }
  const without = await load(direct, options)
  const through = await load(aim, { ...options, seconds: seconds * LATENCY_ROUNDS })
  return {
    scenario,
    target: target.name,
    requestsPerSecond: through.requestsPerSecond,
    p50: through.firstByte.p50 - without.firstByte.p50,
    p99: through.firstByte.p99 - without.firstByte.p99,
  }
}

export async function measureRound(target: Target, aim: Aim, plan: Plan): Promise<Round> {
  const before = cpuMicroseconds(target.pid)
  const result = await load(aim, plan)
  const requests = result.requestsPerSecond * plan.seconds
  return { ...result, cpuMicroseconds: (cpuMicroseconds(target.pid) - before) / requests }
}

function figure(values: readonly number[]): Figure {
  const sorted = values.toSorted((a, b) => a - b)
  return {
    median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    least: sorted[0] ?? Number.NaN,
    most: sorted.at(-1) ?? Number.NaN,
  }
}

/** User and system time of all threads and processes (proc(5), fields 14 and 15), in ticks of 10 ms. */
export function cpuMicroseconds(pid: number | undefined): number {
  if (pid === undefined) return Number.NaN
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const own = (Number(fields[11]) + Number(fields[12])) * 10_000
  return childrenOf(pid).reduce((sum, child) => sum + cpuMicroseconds(child), own)
}

/** The workers of a gateway. */
function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

export function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024
}
