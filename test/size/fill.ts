// Makes a gateway large: channels of twenty models, users, tokens, and a log of a month, by statements that both databases run. The
// same numbers every time. Books agree: each balance is one gift.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import type { App } from '../harness/app.ts'
import { addChannel } from '../harness/shop.ts'

export interface Size {
  channels: number
  users: number
  tokens: number
  logs: number
}

export const MODELS = 2_000
const MODELS_OF_A_CHANNEL = 20
const MONTH_SECONDS = 30 * 86_400
const LOGS_AT_ONCE = 250_000

interface Writer {
  run(sql: string): Promise<void>
  close(): Promise<void>
}

/** @param postgresUrl undefined: the SQLite file in the gateway's data directory */
export async function fill(
  app: App,
  size: Size,
  { upstreamUrl, postgresUrl }: { upstreamUrl: string; postgresUrl: string | undefined },
): Promise<void> {
  // One channel is made as an admin makes it; the others are its copies, for its key is sealed.
  const first = await addChannel(app.root, { base_url: upstreamUrl, models: 'bench-model' })
  const writer = postgresUrl === undefined ? sqliteWriter(app) : await postgresWriter(postgresUrl)
  try {
    await addChannels(writer, first, size.channels)
    await addPeople(writer, size)
    await addLogs(writer, size)
    await writer.run('ANALYZE')
  } finally {
    await writer.close()
  }
}

function sqliteWriter(app: App): Writer {
  const database = new DatabaseSync(join(app.dataDir, 'tollgate.db'), { timeout: 60_000 })
  return {
    run: (sql) => Promise.resolve(database.exec(sql)),
    close: () => Promise.resolve(database.close()),
  }
}

async function postgresWriter(connectionString: string): Promise<Writer> {
  const client = new Client({ connectionString })
  await client.connect()
  return {
    run: async (sql) => void (await client.query(sql)),
    close: () => client.end(),
  }
}

/** The whole numbers from `from` to `to` as table `series (n)`, wide enough for what is made of them on PostgreSQL. */
function series(from: number, to: number): string {
  return `WITH RECURSIVE series (n) AS (SELECT CAST(${from} AS BIGINT) UNION ALL SELECT n + 1 FROM series WHERE n < ${to})`
}

const modelName = (number: string) => `'model-' || ((${number}) % ${MODELS})`

async function addChannels({ run }: Writer, first: number, count: number): Promise<void> {
  const models = Array.from({ length: MODELS_OF_A_CHANNEL }, (_, at) => modelName(`n * 7 + ${at}`))
  await run(`${series(1, count - 1)}
    INSERT INTO channels (type, "key", key_hash, name, created_time, base_url, models, "group", priority, weight, tag, status)
    SELECT type, "key", '', 'channel ' || n, created_time, base_url, ${models.join(` || ',' || `)},
      CASE WHEN n % 5 = 0 THEN 'default,vip' ELSE 'default' END, n % 4, n % 3, 'tag-' || (n % 50),
      CASE WHEN n % 97 = 0 THEN 3 ELSE 1 END
    FROM channels, series WHERE id = ${first}`)
}

async function addPeople({ run }: Writer, { users, tokens }: Size): Promise<void> {
  await run(`${series(1, users)}
    INSERT INTO users (username, display_name, email, "group", quota, created_at)
    SELECT 'user-' || n, 'User ' || n, 'user-' || n || '@example.com',
      CASE WHEN n % 7 = 0 THEN 'vip' ELSE 'default' END, 1000000, 1750000000 + n
    FROM series`)
  await run(`INSERT INTO ledger_entries (user_id, kind, ref, amount, balance, created_at)
    SELECT id, 'gift', 'size:' || id, quota, quota, 1750000000 FROM users WHERE username LIKE 'user-%'`)
  await run(`${series(1, tokens)}
    INSERT INTO tokens (user_id, "key", key_hash, name, created_time, accessed_time, unlimited_quota)
    SELECT least.id + n % ${users}, '', 'size-' || n, 'token-' || n, 1750000000 + n, 1750000000 + n, TRUE
    FROM series, (SELECT MIN(id) AS id FROM users WHERE username LIKE 'user-%') AS least`)
}

/** A tenth of the customers makes half of the calls; one row in fifty is no consumption. */
async function addLogs({ run }: Writer, { logs, users, tokens, channels }: Size): Promise<void> {
  const end = Math.floor(Date.now() / 1000)
  const owner = `CASE WHEN n % 2 = 0 THEN (n * 7919) % ${Math.ceil(users / 10)} ELSE (n * 104729) % ${users} END`
  for (let from = 1; from <= logs; from += LOGS_AT_ONCE) {
    const to = Math.min(logs, from + LOGS_AT_ONCE - 1)
    await run(`${series(from, to)}
      INSERT INTO logs (user_id, username, created_at, type, content, token_name, token_id, model_name, quota,
        prompt_tokens, completion_tokens, use_time_ms, is_stream, channel_id, "group", other, request_id)
      SELECT least.id + owner, 'user-' || (owner + 1), ${end - MONTH_SECONDS} + (n * ${MONTH_SECONDS / 1_000}) / ${Math.max(1, logs / 1_000)},
        CASE WHEN n % 50 = 7 THEN CASE WHEN n % 100 = 7 THEN 5 ELSE 1 END ELSE 2 END,
        CASE WHEN n % 100 = 7 THEN 'status 502: upstream ' || (n % 5000) ELSE 'model ratio 1, group ratio 1' END, 'token-' || (owner + 1), 1 + (owner % ${tokens}), ${modelName('n * 31 + n / 977')}, n % 5000,
        n % 900, n % 700, 200 + n % 9000, n % 3 = 0, 1 + (n * 613) % ${channels},
        CASE WHEN owner % 7 = 0 THEN 'vip' ELSE 'default' END, '{"model_ratio":1,"group_ratio":1}', 'size-' || n
      FROM (SELECT n, ${owner} AS owner FROM series) AS made,
        (SELECT MIN(id) AS id FROM users WHERE username LIKE 'user-%') AS least`)
    process.stderr.write(`  ${to} of ${logs} log rows\n`)
  }
  await run(`${series(0, MODELS - 1)}
    INSERT INTO log_models (name) SELECT ${modelName('n')} FROM series`)
}
