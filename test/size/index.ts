// How long things take when everything is large: `npm run size -- --logs 10000000 --database postgres`.
import { parseArgs } from 'node:util'
import { fakeUpstream } from '../harness/upstream.ts'
import { type Database, openDatabase } from '../../core/data/database.ts'
import { sumNewLogs } from '../../core/logs/sum-new-logs-sql.ts'
import { countHours } from '../../plugins/dashboard/count-hours.ts'
import { ApiClient } from '../harness/api-client.ts'
import { quietLog } from '../harness/databases.ts'
import { customerPassword, setPrice } from '../harness/shop.ts'
import { printBeside } from './beside.ts'
import { printBlocks } from './blocks.ts'
import { BUSIEST, fill, type Size } from './fill.ts'
import { asksOf, ownAsksOf, type Ask } from './lists.ts'
import { cpuSeconds, type Spread, spreadOf, type Watched } from './measure.ts'
import { openPlace } from './place.ts'

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    logs: { type: 'string', default: '1000000' },
    channels: { type: 'string', default: '10000' },
    users: { type: 'string', default: '50000' },
    tokens: { type: 'string', default: '100000' },
    orders: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '20' },
    /** A folder: what was made stays there, and is measured again the next time. PostgreSQL's server is then that of TEST_PG_URL. */
    keep: { type: 'string' },
    /** Only asks with this in their name. */
    only: { type: 'string', default: '' },
    /** Only how long calls take beside exports, a clearing and the jobs of the minute. */
    beside: { type: 'boolean', default: false },
  },
})
const size: Size = {
  channels: Number(values.channels),
  users: Number(values.users),
  tokens: Number(values.tokens),
  orders: Number(values.orders),
  logs: Number(values.logs),
}
const rounds = Number(values.rounds)
const metricsToken = 'size'

const upstream = await fakeUpstream()
const place = await openPlace({
  isPostgres: values.database === 'postgres',
  keep: values.keep,
  metricsToken,
})
const { app } = place
try {
  if (!place.isFilled) await make()
  const { client, key } = await busiest()
  if (values.beside) await printBeside(app, { upstreamUrl: upstream.url, key, client, print: say })
  else await measureAll(client, key)
} finally {
  await place.close()
  await upstream.close()
}

async function measureAll(client: ApiClient, key: string): Promise<void> {
  if (values.only === '') {
    print('/v1/models', await spreadOf(20, watched(), () => ask(app.url, '/v1/models', key)))
  }
  await measure(app.root, asksOf(size, await someRequest()))
  await measure(client, ownAsksOf(size))
  if (values.only === '') {
    await printBlocks(app, { metricsToken, key, print: say })
    const { output } = await app.command('ledger', 'verify')
    say(output.trim())
  }
}

async function make(): Promise<void> {
  const { dataDir, postgresUrl } = place
  await setPrice(app.root, 'bench-model', 1)
  const filling = performance.now()
  await fill(app, size, { upstreamUrl: upstream.url, dataDir, postgresUrl })
  say(`filled in ${seconds(filling)} s`)
  // What the gateway's jobs do within minutes, without it: of SQLite's writers one waits for so long only.
  await app.process.stop()
  const summing = performance.now()
  const database = await openDatabase({ url: postgresUrl, dataDir, log: quietLog })
  await sumNewLogs(database, { settleMs: 0 })
  await countHours(database, { isCounted: true, settleMs: 0 })
  if (database.dialect === 'postgres') await finish(database)
  await database.close()
  say(`summed in ${seconds(summing)} s`)
  const starting = performance.now()
  await app.restart()
  const startMs = Math.round(performance.now() - starting)
  say(`start to first answer: ${startMs} ms, ${cpuSeconds(app.process.pid)} s of processor time`)
  await place.markFilled()
}

/** What the gateway that ran beside the making has left: an index whose creation it began is not used, and its job would begin again in two minutes. */
async function finish(database: Database): Promise<void> {
  const halfMade = await database.select<{ name: string }>(
    'SELECT CAST(CAST(indexrelid AS regclass) AS text) AS name FROM pg_index WHERE NOT indisvalid',
  )
  for (const { name } of halfMade) await database.run(`REINDEX INDEX ${name}`)
  await database.run('ANALYZE')
}

async function busiest(): Promise<{ client: ApiClient; key: string }> {
  const client = await new ApiClient(app.url).signIn(BUSIEST, customerPassword)
  const [token] = await client.get<{ key: string }[]>('/api/token/?p=0&size=1')
  return { client, key: `sk-${token?.key ?? ''}` }
}

async function ask(url: string, path: string, key: string): Promise<void> {
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })
  await answer.arrayBuffer()
}

function watched(): Watched {
  return { gateway: app.process.pid, database: place.backends }
}

/** The id of one that is neither among the newest nor among the oldest. */
async function someRequest(): Promise<string> {
  const page = '/api/log/?p=500&page_size=20&type=2'
  const { items } = await app.root.get<{ items: { request_id: string }[] }>(page)
  return items[0]?.request_id ?? ''
}

async function measure(client: ApiClient, asks: readonly Ask[]): Promise<void> {
  for (const [name, path] of asks) {
    if (!name.includes(values.only)) continue
    print(name, await spreadOf(rounds, watched(), () => client.get(path)))
  }
}

function seconds(since: number): number {
  return Math.round((performance.now() - since) / 1000)
}

function print(name: string, { p50, p95, gatewayCpu, databaseCpu }: Spread): void {
  const columns = { p50, p95, cpu: gatewayCpu, 'database cpu': databaseCpu }
  const figures = Object.entries(columns).map(
    ([column, ms]) => `${column} ${ms.toFixed(1).padStart(7)} ms`,
  )
  say(`${name.padEnd(36)} ${figures.join('   ')}`)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
