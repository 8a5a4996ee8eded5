// npm run bench [-- --seconds 5 --rounds 3 --connections 64 --only sqlite]: what the gateway costs beside a bare proxy.
// Gateway and proxy run in turn on core 0; load and upstream (and PostgreSQL, which would be another machine) on core 1.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startCannedUpstream } from './canned-upstream.ts'
import { type LoadOptions, type LoadResult, load } from './load.ts'
import { type Target, startBareProxy, startMeteredGateway } from './targets.ts'

interface Scenario {
  name: string
  path: string
  body: string
}

const message = (length: number) => [{ role: 'user', content: 'word '.repeat(length / 5) }]
const chat = '/v1/chat/completions'
const model = 'bench-model'

const scenarios: Scenario[] = [
  { name: 'small', path: chat, body: JSON.stringify({ model, messages: message(200) }) },
  { name: '10 kB', path: chat, body: JSON.stringify({ model, messages: message(10_000) }) },
  {
    name: 'stream',
    path: chat,
    body: JSON.stringify({ model, stream: true, messages: message(200) }),
  },
  {
    // An Anthropic client on the same upstream: every event is converted.
    name: 'converted stream',
    path: '/v1/messages',
    body: JSON.stringify({ model, stream: true, max_tokens: 1000, messages: message(200) }),
  },
]

interface Measured {
  scenario: string
  target: string
  requestsPerSecond: number
  /** Requests per second beside the bare proxy's of the same round; the median of the rounds. */
  ratio: number
  /** Processor time of the process for one request, in microseconds: what a busy machine disturbs least. */
  cpuMicroseconds: number
  /** Milliseconds above the upstream asked directly, at one connection. */
  addedLatency: number
  rssMegabytes: number
  failures: number
}

interface Round extends LoadResult {
  cpuMicroseconds: number
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '64' },
      only: { type: 'string' },
    },
  })
  pinToLoadCore()
  const upstream = await startCannedUpstream()
  const databases = (['sqlite', 'postgres'] as const).filter(
    (name) => values.only === undefined || values.only === name,
  )
  const targets = [await startBareProxy(upstream.url)]
  for (const database of databases) targets.push(await startMeteredGateway(upstream.url, database))
  const rows: Measured[] = []
  for (const { name, path, body } of scenarios) {
    const options = {
      path,
      body,
      connections: Number(values.connections),
      seconds: Number(values.seconds),
    }
    rows.push(
      ...(await measureScenario(name, targets, options, upstream.url, Number(values.rounds))),
    )
  }
  for (const target of targets) await target.close()
  upstream.close()
  print(rows)
  process.exitCode = rows.some(({ failures }) => failures > 0) ? 1 : 0
}

/** Proxy and gateways take turns in every round, so that a machine whose speed drifts disturbs all alike. */
async function measureScenario(
  scenario: string,
  targets: readonly Target[],
  options: Omit<LoadOptions, 'url' | 'headers'>,
  upstreamUrl: string,
  rounds: number,
): Promise<Measured[]> {
  const direct = await load({
    ...options,
    url: upstreamUrl,
    headers: {},
    connections: 1,
    seconds: 1,
  })
  for (const target of targets) await load({ ...options, ...aim(target) })
  const results = targets.map((): Round[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, target] of targets.entries())
      results[index]?.push(await loadRound(target, options))
  }
  const proxy = results[0] ?? []
  return Promise.all(
    targets.map(async (target, index): Promise<Measured> => {
      const own = results[index] ?? []
      const single = await load({
        ...options,
        ...aim(target),
        connections: 1,
        seconds: Math.min(options.seconds, 2),
      })
      return {
        scenario,
        target: target.name,
        requestsPerSecond: median(own.map((round) => round.requestsPerSecond)),
        ratio: median(
          own.map(
            (round, at) => round.requestsPerSecond / (proxy[at]?.requestsPerSecond ?? Number.NaN),
          ),
        ),
        cpuMicroseconds: median(own.map((round) => round.cpuMicroseconds)),
        addedLatency: single.medianLatency - direct.medianLatency,
        rssMegabytes: residentMegabytes(target.pid),
        failures: own.reduce((sum, { failures }) => sum + failures, single.failures),
      }
    }),
  )
}

async function loadRound(
  target: Target,
  options: Omit<LoadOptions, 'url' | 'headers'>,
): Promise<Round> {
  const before = cpuMicroseconds(target.pid)
  const result = await load({ ...options, ...aim(target) })
  const requests = result.requestsPerSecond * options.seconds
  return { ...result, cpuMicroseconds: (cpuMicroseconds(target.pid) - before) / requests }
}

function aim(target: Target): Pick<LoadOptions, 'url' | 'headers'> {
  return { url: target.url, headers: target.headers }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** One line a target; the CPU ratio says how much of a core the proxy's work is of the gateway's. */
function print(rows: readonly Measured[]): void {
  const header = [
    'scenario',
    'target',
    'req/s',
    'ratio',
    'cpu us',
    'cpu ratio',
    'added ms',
    'RSS MB',
    'failures',
  ]
  const lines = rows.map((row) => {
    const proxy = rows.find(
      ({ scenario, target }) => scenario === row.scenario && target === 'bare proxy',
    )
    return [
      row.scenario,
      row.target,
      row.requestsPerSecond.toFixed(0),
      row.ratio.toFixed(2),
      row.cpuMicroseconds.toFixed(0),
      ((proxy?.cpuMicroseconds ?? Number.NaN) / row.cpuMicroseconds).toFixed(2),
      row.addedLatency.toFixed(3),
      row.rssMegabytes.toFixed(0),
      String(row.failures),
    ]
  })
  const widths = header.map((_, column) =>
    Math.max(...[header, ...lines].map((line) => line[column]?.length ?? 0)),
  )
  for (const line of [header, ...lines]) {
    console.log(line.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  '))
  }
}

/** User and system time of all threads (proc(5), fields 14 and 15), in ticks of 10 ms. */
function cpuMicroseconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024
}

function pinToLoadCore(): void {
  execFileSync('taskset', ['-a', '-c', '-p', '1', String(process.pid)], { stdio: 'ignore' })
}

await main()
