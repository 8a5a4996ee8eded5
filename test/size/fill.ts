// Makes a gateway large: channels of twenty models, users, tokens, orders, codes, tasks, and a log of a month, by statements that both
// databases run. The same numbers every time. Books agree: each balance is one gift.
import type { App } from '../harness/app.ts'
import { addChannel, addCustomer } from '../harness/shop.ts'
import { postgresWriter, sqliteWriter, type Writer } from './writer.ts'

export interface Size {
  channels: number
  users: number
  tokens: number
  /** Of orders, codes, tasks and drawings, each. */
  orders: number
  logs: number
}

export const MODELS = 2_000
const MODELS_OF_A_CHANNEL = 20
const MONTH_SECONDS = 30 * 86_400
const LOGS_AT_ONCE = 500_000

/** The customer who makes most of the calls; those made by SQL come after him and cannot sign in. */
export const BUSIEST = 'user-0'

/** @param postgresUrl undefined: the SQLite file in the data directory */
export async function fill(
  app: App,
  size: Size,
  places: { upstreamUrl: string; dataDir: string; postgresUrl: string | undefined },
): Promise<void> {
  // One channel, token and code is made as people make it; the others are copies, for its key is sealed.
  const first = await addChannel(app.root, {
    base_url: places.upstreamUrl,
    models: 'bench-model',
  })
  await addCustomer(app.root, BUSIEST, 1_000_000_000)
  await app.root.post('/api/redemption/', { name: 'first', quota: 1, count: 1 })
  const writer =
    places.postgresUrl === undefined
      ? sqliteWriter(places.dataDir)
      : await postgresWriter(places.postgresUrl)
  try {
    await addChannels(writer, first, size.channels)
    await addPeople(writer, size)
    await addOrders(writer, size)
    await addLogs(writer, size)
    // As autovacuum leaves it: without the map of what is visible, PostgreSQL reads the table beside each index. SQLite has no statistics in a gateway.
    if (places.postgresUrl !== undefined) await writer.run('VACUUM ANALYZE')
  } finally {
    await writer.close()
  }
}

const modelName = (number: string) => `'model-' || ((${number}) % ${MODELS})`
const leastUser = `(SELECT MIN(id) AS id FROM users WHERE username LIKE 'user-%') AS least`

async function addChannels(writer: Writer, first: number, count: number): Promise<void> {
  const models = Array.from({ length: MODELS_OF_A_CHANNEL }, (_, at) => modelName(`n * 7 + ${at}`))
  const { head, table } = writer.series(1, count - 1)
  await writer.run(`${head}
    INSERT INTO channels (type, "key", key_hash, name, created_time, base_url, models, "group", priority, weight, tag, status)
    SELECT type, "key", '', 'channel ' || n, created_time, base_url, ${models.join(` || ',' || `)},
      CASE WHEN n % 5 = 0 THEN 'default,vip' ELSE 'default' END, n % 4, n % 3, 'tag-' || (n % 50),
      CASE WHEN n % 97 = 0 THEN 3 ELSE 1 END
    FROM channels, ${table} WHERE id = ${first}`)
}

async function addPeople(writer: Writer, { users, tokens }: Size): Promise<void> {
  const people = writer.series(1, users)
  await writer.run(`${people.head}
    INSERT INTO users (username, display_name, email, "group", quota, created_at)
    SELECT 'user-' || n, 'User ' || n, 'user-' || n || '@example.com',
      CASE WHEN n % 7 = 0 THEN 'vip' ELSE 'default' END, 1000000, 1750000000 + n
    FROM ${people.table}`)
  await writer.run(`INSERT INTO ledger_entries (user_id, kind, ref, amount, balance, created_at)
    SELECT id, 'gift', 'size:' || id, quota, quota, 1750000000 FROM users WHERE created_at < 1750000000 + ${users} + 1 AND username LIKE 'user-%'`)
  // Every hundredth is one customer's, who has many.
  const keys = writer.series(1, tokens)
  await writer.run(`${keys.head}
    INSERT INTO tokens (user_id, "key", key_hash, name, created_time, accessed_time, unlimited_quota)
    SELECT least.id + CASE WHEN n % 100 = 0 THEN 0 ELSE n % ${users} END, sealed."key", 'size-' || n, 'token-' || n, 1750000000 + n, 1750000000 + n, TRUE
    FROM ${keys.table}, ${leastUser}, (SELECT "key" FROM tokens ORDER BY id LIMIT 1) AS sealed`)
}

/** Orders that nobody paid, codes that nobody used, tasks that are over: no books are touched. */
async function addOrders(writer: Writer, { orders, users, channels }: Size): Promise<void> {
  const { head, table } = writer.series(1, orders)
  const of = (columns: string) => `SELECT ${columns} FROM ${table}, ${leastUser}`
  const owner = `least.id + (n * 104729) % ${users}`
  const now = Math.floor(Date.now() / 1000)
  const time = `${now - MONTH_SECONDS} + n * ${MONTH_SECONDS} / ${orders}`
  await writer.run(`${head}
    INSERT INTO top_ups (user_id, trade_no, provider, payment_method, amount, quota, money, currency, status, create_time)
    ${of(`${owner}, 'order-' || n, 'epay', 'alipay', 1, 500000, '7.30', 'CNY', CASE WHEN n % 10 = 0 THEN 'failed' ELSE 'expired' END, ${time}`)}`)
  await writer.run(`${head}
    INSERT INTO redemptions__codes (user_id, name, "key", key_hash, status, quota, created_time, expired_time)
    ${of(`1, 'batch ' || (n / 1000), (SELECT "key" FROM redemptions__codes WHERE id = 1), 'size-' || n, CASE WHEN n % 100 = 3 THEN 2 ELSE 1 END, 1000, ${time}, CASE WHEN n % 10 = 0 THEN ${time} + 1 ELSE 0 END`)}`)
  for (const [screen, platform] of [
    ['drawing', 'midjourney'],
    ['tasks', 'suno'],
  ] as const) {
    await writer.run(`${head}
      INSERT INTO tasks (platform, screen, task_id, user_id, channel_id, model_name, action, status, progress, created_at, updated_at, submit_ms, finish_ms, is_open)
      ${of(`'${platform}', '${screen}', '${screen}-' || n, ${owner}, 1 + n % ${channels}, '${platform}', CASE WHEN n % 50 = 0 THEN 'UPSCALE' ELSE 'IMAGINE' END, CASE WHEN n % 100 = 3 THEN 'FAILURE' ELSE 'SUCCESS' END, '100%', ${time}, ${time}, (${time}) * 1000, (${time}) * 1000 + 9000, FALSE`)}`)
  }
}

async function addLogs(writer: Writer, size: Size): Promise<void> {
  // What the making wrote itself is older than what comes after it, also where the dashboard has counted it: it would take what follows for the past.
  const start = monthAgo()
  await writer.run(`UPDATE logs SET created_at = ${start}`)
  await writer.run(`UPDATE dashboard__progress SET last_created_at = ${start} WHERE last_id > 0`)
  // The gateway may have summed those rows where they were: each quarter of an hour since would begin at the first row.
  await writer.run('DELETE FROM log_quarters')
  await writer.run('UPDATE log_progress SET last_id = 0')
  await writer.withoutIndexes('logs', async () => {
    for (let from = 1; from <= size.logs; from += LOGS_AT_ONCE) {
      const to = Math.min(size.logs, from + LOGS_AT_ONCE - 1)
      await writer.run(logRows(writer, size, { from, to }))
      process.stderr.write(`  ${to} of ${size.logs} log rows\n`)
    }
  })
  const { head, table } = writer.series(0, MODELS - 1)
  await writer.run(`${head}
    INSERT INTO log_models (name) SELECT ${modelName('n')} FROM ${table}`)
}

function monthAgo(): number {
  return Math.floor(Date.now() / 1000) - MONTH_SECONDS
}

/**
 * The first customer makes a tenth of the calls, a tenth of the customers half of the rest. A fifth is of one model, a tenth by one channel;
 * one row in fifty is no consumption, one in a hundred thousand an admin's.
 */
function logRows(
  writer: Writer,
  { logs, users, tokens, channels }: Size,
  { from, to }: { from: number; to: number },
): string {
  const owner = `CASE WHEN n % 10 = 4 THEN 0 WHEN n % 2 = 0 THEN (n * 7919) % ${Math.ceil(users / 10)} ELSE (n * 104729) % ${users} END`
  const model = `CASE WHEN n % 10 IN (1, 2) THEN 'model-1' ELSE ${modelName('n * 31 + n / 977')} END`
  const channel = `CASE WHEN n % 10 = 3 THEN 1 ELSE 1 + (n * 613) % ${channels} END`
  const time = `${monthAgo()} + (n * ${MONTH_SECONDS / 1_000}) / ${Math.max(1, logs / 1_000)}`
  const { head, table } = writer.series(from, to)
  return `${head}
    INSERT INTO logs (user_id, username, created_at, type, content, token_name, token_id, model_name, quota,
      prompt_tokens, completion_tokens, use_time_ms, is_stream, channel_id, "group", other, request_id)
    SELECT least.id + owner, 'user-' || owner, ${time},
      CASE WHEN n % 100000 = 11 THEN 3 WHEN n % 50 = 7 THEN CASE WHEN n % 100 = 7 THEN 5 ELSE 1 END ELSE 2 END,
      CASE WHEN n % 100 = 7 THEN 'status 502: upstream ' || (n % 5000) ELSE 'model ratio 1, group ratio 1' END, 'token-' || owner, 1 + (owner % ${tokens}), ${model}, n % 5000,
      n % 900, n % 700, 200 + n % 9000, n % 3 = 0, ${channel},
      CASE WHEN owner % 7 = 0 THEN 'vip' ELSE 'default' END, '{"model_ratio":1,"group_ratio":1}', ${writer.digitsOf(time)} || (100000000 + n) || 'sizeRows'
    FROM (SELECT n, ${owner} AS owner FROM ${table}) AS made, ${leastUser}`
}
