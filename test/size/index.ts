// How long things take when everything is large: `npm run size -- --logs 1000000 --database postgres`.
import { parseArgs } from 'node:util'
import { fakeUpstream } from '../harness/upstream.ts'
import { startApp } from '../harness/app.ts'
import { openDatabase } from '../../core/data/database.ts'
import { sumNewLogs } from '../../core/logs/log-sums-sql.ts'
import { createPostgres, quietLog } from '../harness/databases.ts'
import { addCustomer, setPrice } from '../harness/shop.ts'
import { fill, type Size } from './fill.ts'
import { asksOf } from './lists.ts'
import { blockedBy, edits, spreadOf, type Spread } from './measure.ts'

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    logs: { type: 'string', default: '1000000' },
    channels: { type: 'string', default: '10000' },
    users: { type: 'string', default: '50000' },
    tokens: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '20' },
  },
})
const size: Size = {
  channels: Number(values.channels),
  users: Number(values.users),
  tokens: Number(values.tokens),
  logs: Number(values.logs),
}

const upstream = await fakeUpstream()
const postgres = values.database === 'postgres' ? await createPostgres() : undefined
const postgresUrl = postgres?.settings.url
const metricsToken = 'size'
const app = await startApp({
  env: { METRICS_TOKEN: metricsToken, ...(postgresUrl ? { DATABASE_URL: postgresUrl } : {}) },
})
try {
  await setPrice(app.root, 'bench-model', 1)
  const filling = performance.now()
  await fill(app, size, { upstreamUrl: upstream.url, postgresUrl })
  say(`filled in ${Math.round((performance.now() - filling) / 1000)} s`)
  // What the gateway's job does within minutes.
  const database = await openDatabase({ url: postgresUrl, dataDir: app.dataDir, log: quietLog })
  await sumNewLogs(database, { settleMs: 0 })
  await database.close()
  const starting = performance.now()
  await app.restart()
  say(`start to first answer: ${Math.round(performance.now() - starting)} ms`)
  const { key } = await addCustomer(app.root, 'size', 1_000_000_000)
  const models = await spreadOf(20, async () => {
    const answer = await fetch(`${app.url}/v1/models`, {
      headers: { authorization: `Bearer ${key}` },
    })
    await answer.arrayBuffer()
  })
  print('/v1/models', models)
  for (const [name, path] of asksOf(size)) {
    print(name, await spreadOf(Number(values.rounds), () => app.root.get(path)))
  }
  say(
    `event loop held by edits of a channel, longest: ${await blockedBy(app, metricsToken, edits(app))} ms`,
  )
  const { output } = await app.command('ledger', 'verify')
  say(output.trim())
} finally {
  await app.close()
  await postgres?.close()
  await upstream.close()
}

function print(name: string, { p50, p95 }: Spread): void {
  say(
    `${name.padEnd(28)} p50 ${p50.toFixed(1).padStart(8)} ms   p95 ${p95.toFixed(1).padStart(8)} ms`,
  )
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
