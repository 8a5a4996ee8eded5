// npm run bench [-- --quick --seconds 3 --rounds 5 --connections 32,64 --only sqlite --scenario small --peer name=url,key,model]
//               [--beside ../other-checkout --env NAME=VALUE]: a further gateway of other code or with other variables, in the same rounds
//               [--workers 2]: one of so many processes, on all cores
//               [--tls]: the upstream that answers at once is reached through TLS, as providers are
// What the gateway costs beside a bare proxy. Gateway and proxy run in turn on core 0; load and upstream (and PostgreSQL, which would be another
// machine) on core 1. A whole run writes RESULTS.md; --quick is one short round of SQLite and writes nothing.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startCannedUpstream } from './canned-upstream.ts'
import { measureLatency, measureScenario, type AddedLatency, type Measured } from './measure.ts'
import { startUpstream } from './nginx-upstream.ts'
import { printed, printedLatency, resultsPage, withKept } from './report.ts'
import { scenarios } from './scenarios.ts'
import {
  peerOf,
  startBareProxy,
  startMeteredGateway,
  type Target,
  type Upstreams,
} from './targets.ts'
import { warmUp } from './warm-up.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    connections: { type: 'string' },
    only: { type: 'string' },
    /** Part of the name. */
    scenario: { type: 'string', default: '' },
    beside: { type: 'string' },
    /** One more gateway, of so many processes on all cores; on PostgreSQL. */
    workers: { type: 'string' },
    tls: { type: 'boolean', default: false },
    env: { type: 'string', multiple: true, default: [] },
    peer: { type: 'string', multiple: true, default: [] },
    'upstream-port': { type: 'string' },
  },
})
const { quick } = values
const seconds = Number(values.seconds ?? (quick ? 2 : 3))
const rounds = Number(values.rounds ?? (quick ? 1 : 5))
const connectionCounts = (values.connections ?? (quick ? '64' : '32,64')).split(',').map(Number)
const only = values.only ?? (quick ? 'sqlite' : undefined)
const chosen = scenarios.filter(({ name }) => name.includes(values.scenario))

async function main(): Promise<void> {
  pinToLoadCore()
  const port = Number(values['upstream-port'] ?? 0)
  const upstream = await startUpstream(port, values.tls)
  const dripping = await startCannedUpstream()
  const targets: Target[] = []
  try {
    const urls = { whole: upstream.url, dripping: dripping.url }
    if (values.peer.length > 0)
      console.log(`peers: their channels lead to ${upstream.url}/whole and ${upstream.url}/chat`)
    targets.push(await startBareProxy(urls))
    for (const database of ['sqlite', 'postgres'] as const)
      if (only === undefined || only === database)
        targets.push(await startMeteredGateway(urls, database, chosen))
    if (values.beside !== undefined || values.env.length > 0) targets.push(await startOther(urls))
    if (values.workers !== undefined) {
      const env = { WORKERS: values.workers }
      targets.push(await startMeteredGateway(urls, 'postgres', chosen, { env, isFree: true }))
    }
    targets.push(...values.peer.map(peerOf))
    const warmUpRounds = await warmUp(targets, chosen, {
      seconds,
      rounds: 1,
      connections: Math.max(...connectionCounts),
    })
    const { rows, latency } = await measureAll(targets, urls)
    console.log(`\n${printedLatency(latency)}`)
    if (!quick && values.scenario === '' && !values.tls)
      writePage(
        resultsPage(rows, latency, { upstream: upstream.name, rounds, seconds, warmUpRounds }),
      )
    process.exitCode = rows.some(({ failures }) => failures > 0) ? 1 : 0
  } finally {
    for (const target of targets) await target.close()
    upstream.close()
    dripping.close()
  }
}

/** What `npm run bench:memory` and `npm run bench:swaps` wrote stays. */
function writePage(page: string): void {
  const file = new URL('RESULTS.md', import.meta.url)
  writeFileSync(file, withKept(page, readFileSync(file, 'utf8')))
}

function startOther(urls: Upstreams): Promise<Target> {
  const env = Object.fromEntries(
    values.env.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )
  const folder = values.beside === undefined ? {} : { folder: resolve(values.beside) }
  return startMeteredGateway(urls, only === 'postgres' ? 'postgres' : 'sqlite', chosen, {
    env,
    ...folder,
  })
}

async function measureAll(
  targets: readonly Target[],
  upstreams: Upstreams,
): Promise<{ rows: Measured[]; latency: AddedLatency[] }> {
  const rows: Measured[] = []
  const latency: AddedLatency[] = []
  for (const scenario of chosen) {
    for (const connections of connectionCounts) {
      const plan = { seconds, rounds, connections }
      const measured = await measureScenario(scenario, targets, plan)
      rows.push(...measured)
      console.log(printed(measured))
      if (connections !== connectionCounts.at(-1)) continue
      const direct = { url: scenario.drips ? upstreams.dripping : upstreams.whole }
      for (const target of targets) {
        const capacity = measured.find((row) => row.target === target.name)?.requestsPerSecond
          .median
        if (capacity === undefined) continue
        const added = await alone(target, targets, () =>
          measureLatency(scenario, target, direct, capacity, plan),
        )
        if (added) latency.push(added)
      }
    }
  }
  return { rows, latency }
}

/** With the others stopped: their jobs would take the core for as long as what is measured. */
async function alone<T>(
  target: Target,
  targets: readonly Target[],
  measure: () => Promise<T>,
): Promise<T> {
  const others = targets.flatMap(({ pid }) => (pid === undefined || pid === target.pid ? [] : pid))
  for (const pid of others) process.kill(pid, 'SIGSTOP')
  try {
    return await measure()
  } finally {
    for (const pid of others) process.kill(pid, 'SIGCONT')
  }
}

function pinToLoadCore(): void {
  execFileSync('taskset', ['-a', '-c', '-p', '1', String(process.pid)], { stdio: 'ignore' })
}

await main()
