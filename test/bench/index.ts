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
  body: string
}

const message = (length: number) => [{ role: 'user', content: 'word '.repeat(length / 5) }]

const scenarios: Scenario[] = [
  { name: 'small', body: JSON.stringify({ model: 'bench-model', messages: message(200) }) },
  { name: '10 kB', body: JSON.stringify({ model: 'bench-model', messages: message(10_000) }) },
  {
    name: 'stream',
    body: JSON.stringify({ model: 'bench-model', stream: true, messages: message(200) }),
  },
]

interface Measured {
  scenario: string
  target: string
  requestsPerSecond: number
  /** Milliseconds above the upstream asked directly, at one connection. */
  addedLatency: number
  rssMegabytes: number
  failures: number
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
  const rows: Measured[] = []
  for (const scenario of scenarios) {
    const options = {
      path: '/v1/chat/completions',
      body: scenario.body,
      connections: Number(values.connections),
      seconds: Number(values.seconds),
    }
    const direct = await load({ ...options, url: upstream.url, headers: {}, connections: 1 })
    const measure = (target: Target) =>
      measureTarget(target, scenario.name, options, direct, Number(values.rounds))
    rows.push(await withTarget(startBareProxy(upstream.url), measure))
    for (const database of databases) {
      rows.push(await withTarget(startMeteredGateway(upstream.url, database), measure))
    }
  }
  upstream.close()
  print(rows)
  process.exitCode = rows.some(({ failures }) => failures > 0) ? 1 : 0
}

async function withTarget(
  starting: Promise<Target>,
  measure: (target: Target) => Promise<Measured>,
): Promise<Measured> {
  const target = await starting
  try {
    return await measure(target)
  } finally {
    await target.close()
  }
}

/** Warms the target up, then takes the median round, so that one disturbed round changes nothing. */
async function measureTarget(
  target: Target,
  scenario: string,
  options: Omit<LoadOptions, 'url' | 'headers'>,
  direct: LoadResult,
  rounds: number,
): Promise<Measured> {
  const aimed = { ...options, url: target.url, headers: target.headers }
  await load(aimed)
  const results: LoadResult[] = []
  for (let round = 0; round < rounds; round++) results.push(await load(aimed))
  const rssMegabytes = residentMegabytes(target.pid)
  const single = await load({ ...aimed, connections: 1, seconds: Math.min(options.seconds, 3) })
  const speeds = results.map((result) => result.requestsPerSecond).toSorted((a, b) => a - b)
  return {
    scenario,
    target: target.name,
    requestsPerSecond: speeds[Math.floor(speeds.length / 2)] ?? 0,
    addedLatency: single.medianLatency - direct.medianLatency,
    rssMegabytes,
    failures: results.reduce((sum, { failures }) => sum + failures, single.failures),
  }
}

function print(rows: readonly Measured[]): void {
  const header = ['scenario', 'target', 'req/s', 'ratio', 'added ms', 'RSS MB', 'failures']
  const lines = rows.map((row) => {
    const proxy = rows.find(
      ({ scenario, target }) => scenario === row.scenario && target === 'bare proxy',
    )
    return [
      row.scenario,
      row.target,
      row.requestsPerSecond.toFixed(0),
      (row.requestsPerSecond / (proxy?.requestsPerSecond ?? Number.NaN)).toFixed(2),
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

function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024
}

function pinToLoadCore(): void {
  execFileSync('taskset', ['-a', '-c', '-p', '1', String(process.pid)], { stdio: 'ignore' })
}

await main()
