// A month of a gateway's life, for the demo, the screenshots and the tests of screens: customers, channels of many
// providers, calls by day and hour, failures, and the other data of a site. Apart from the date it is the same every
// time. Money agrees: each balance is the sum of its ledger entries.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { App } from '../app.ts'
import { addOrders, addTasks, addTokensAndCodes, countDashboard } from './business.ts'
import { lifelikeLogs, type LogOwner, type MadeLog } from './logs.ts'
import { addChannel } from '../shop.ts'

export interface LifelikeSize {
  channels: number
  users: number
  logs: number
}

/** The address to which the demo's calls go. The other channels keep their provider's address, and nothing calls
 *  them. */
export interface LifelikeInput extends LifelikeSize {
  upstreamUrl: string
}

const daySeconds = 86_400
/** At least ten dollars, so that most accounts have some left at the end of the month. */
const giftUnits = 5_000_000

interface Provider {
  type: number
  name: string
  models: string
  base_url?: string
}

const providers: readonly Provider[] = [
  { type: 1, name: 'OpenAI', models: 'gpt-4o,gpt-4o-mini,o3-mini,text-embedding-3-small' },
  { type: 14, name: 'Anthropic', models: 'claude-sonnet-4-5,claude-haiku-4-5' },
  { type: 24, name: 'Gemini', models: 'gemini-2.5-flash,gemini-2.5-pro' },
  { type: 43, name: 'DeepSeek', models: 'deepseek-chat,deepseek-reasoner' },
  { type: 17, name: 'Qwen', models: 'qwen-plus,qwen-max' },
  { type: 26, name: 'Zhipu', models: 'glm-4-plus,glm-4v' },
  { type: 25, name: 'Moonshot', models: 'moonshot-v1-8k,moonshot-v1-32k' },
  { type: 42, name: 'Mistral', models: 'mistral-large-latest,codestral-latest' },
  { type: 20, name: 'OpenRouter', models: 'meta-llama/llama-3.3-70b-instruct' },
  { type: 48, name: 'xAI', models: 'grok-3' },
  { type: 40, name: 'SiliconCloud', models: 'Qwen/Qwen2.5-72B-Instruct' },
  { type: 4, name: 'Ollama', models: 'llama3.2,qwen2.5', base_url: 'http://127.0.0.1:11434' },
]

const places = ['main', 'backup', 'Frankfurt', '上海', 'batch', 'team', 'trial', 'low latency']
const tags = ['', '', 'paid', 'free tier', '备用']

export async function fillLifelike(app: App, input: LifelikeInput): Promise<void> {
  const channelIds = await addChannels(app, input)
  const nowSeconds = Math.floor(Date.now() / 1000)
  await addTokensAndCodes(app, nowSeconds)
  const database = new DatabaseSync(join(app.dataDir, 'tollgate.db'), { timeout: 10_000 })
  let endedIds: readonly number[] = []
  try {
    database.exec('BEGIN IMMEDIATE')
    // Existing accounts get the largest part, so that they have figures to show.
    const owners = [...usersOf(database), ...addUsers(database, input.users, nowSeconds)]
    const logs = lifelikeLogs({ count: input.logs, owners, channelIds, nowSeconds })
    addLogs(database, logs)
    addBalances(database, owners, logs, nowSeconds)
    endedIds = spoilChannels(database, channelIds, nowSeconds)
    addTasks(database, nowSeconds)
    addOrders(
      database,
      owners.map(({ id }) => id),
      nowSeconds,
    )
    database.exec('COMMIT')
  } finally {
    database.close()
  }
  // Saved once more, so that the gateway reads them anew.
  for (const id of endedIds) await app.root.call('PUT', '/api/channel/', { id })
  await countDashboard(app, nowSeconds)
}

async function addChannels(app: App, { channels, upstreamUrl }: LifelikeInput): Promise<number[]> {
  const ids: number[] = []
  for (let at = 0; at < channels; at++) {
    const provider = providers[at % providers.length] as Provider
    const round = Math.floor(at / providers.length)
    const place = places[(at + round) % places.length] ?? ''
    ids.push(
      await addChannel(app.root, {
        base_url: at < 2 ? upstreamUrl : '',
        ...provider,
        name: longNameAt(at) ?? `${provider.name} ${place}${round === 0 ? '' : ` ${round + 1}`}`,
        key: `sk-lifelike-${at}`,
        group: at % 5 === 0 ? 'default,vip' : 'default',
        tag: tags[at % tags.length],
        priority: at % 4,
        weight: (at % 3) * 5,
      }),
    )
  }
  return ids
}

/** A name of the greatest length, to test the screens with. */
function longNameAt(at: number): string | undefined {
  return at === 7
    ? 'Mistral for the research department, second contract, until the end of next year'
    : undefined
}

function usersOf(database: DatabaseSync): (LogOwner & { balance: number })[] {
  const rows = database.prepare('SELECT id, username, "group", quota AS balance FROM users').all()
  return rows as unknown as (LogOwner & { balance: number })[]
}

const firstNames = ['ada', 'alan', 'grace', 'linus', 'wei', 'fang', 'lena', 'omar', 'noor', 'kofi']
const trades = ['studio', 'lab', 'shop', 'bot', 'school', 'press', 'cloud', 'clinic']

function addUsers(database: DatabaseSync, count: number, nowSeconds: number): LogOwner[] {
  const insert = database.prepare(
    `INSERT INTO users (username, display_name, email, role, status, "group", created_at, inviter_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, 0)`,
  )
  const owners: LogOwner[] = []
  for (let at = 0; at < count; at++) {
    const first = firstNames[at % firstNames.length] ?? ''
    const trade = trades[Math.floor(at / firstNames.length) % trades.length] ?? ''
    const username = `${first}-${trade}${at < 80 ? '' : `-${Math.floor(at / 80) + 1}`}`
    const role = at === 0 ? 10 : 1
    const status = at % 29 === 17 ? 2 : 1
    const group = at % 7 === 3 ? 'vip' : 'default'
    const createdAt = nowSeconds - 30 * daySeconds - at * 3_571
    const email = at % 3 === 0 ? `${username}@example.com` : ''
    const { lastInsertRowid } = insert.run(
      username,
      username.replace('-', ' '),
      email,
      role,
      status,
      group,
      createdAt,
    )
    owners.push({ id: Number(lastInsertRowid), username, group })
  }
  return owners
}

function addLogs(database: DatabaseSync, logs: readonly MadeLog[]): void {
  const columns = Object.keys(logs[0] ?? {}) as (keyof MadeLog)[]
  const names = columns.map((name) => `"${name}"`).join(', ')
  const marks = columns.map(() => '?').join(', ')
  const insert = database.prepare(`INSERT INTO logs (${names}) VALUES (${marks})`)
  const insertModel = database.prepare('INSERT OR IGNORE INTO log_models (name) VALUES (?)')
  for (const log of logs) insert.run(...columns.map((name) => log[name]))
  for (const model of new Set(logs.map((log) => log.model_name))) {
    if (model !== '') insertModel.run(model)
  }
  database.exec(
    `UPDATE channels SET used_quota = COALESCE(
       (SELECT SUM(quota) FROM logs WHERE logs.channel_id = channels.id AND type = 2), 0)`,
  )
}

/** Each account got a gift and paid for its calls; accounts that had a balance end with the same one. */
function addBalances(
  database: DatabaseSync,
  owners: readonly (LogOwner & { balance?: number })[],
  logs: readonly MadeLog[],
  nowSeconds: number,
): void {
  const enter = database.prepare(
    `INSERT INTO ledger_entries (user_id, kind, ref, amount, balance, created_at) VALUES (?, ?, ?, ?, ?, ?)`,
  )
  const update = database.prepare(
    'UPDATE users SET quota = ?, used_quota = ?, request_count = ? WHERE id = ?',
  )
  for (const [at, { id, balance: before }] of owners.entries()) {
    const calls = logs.filter((log) => log.user_id === id && log.quota > 0)
    const spent = calls.reduce((sum, { quota }) => sum + quota, 0)
    // Every twelfth account has nearly nothing left.
    const left = before !== undefined ? 0 : at % 12 === 5 ? 20_000 : giftUnits
    const gift = spent + left
    let balance = (before ?? 0) + gift
    enter.run(id, 'gift', `lifelike:${id}`, gift, balance, nowSeconds - 30 * daySeconds)
    for (const call of calls) {
      balance -= call.quota
      enter.run(id, 'consume', call.request_id, -call.quota, balance, call.created_at)
    }
    update.run(balance, spent, calls.length, id)
  }
}

/** Tests some channels, and switches some off, by hand or automatically. Returns the IDs of the latter. */
function spoilChannels(
  database: DatabaseSync,
  ids: readonly number[],
  nowSeconds: number,
): number[] {
  const endedIds: number[] = []
  const tested = database.prepare(
    'UPDATE channels SET response_time = ?, test_time = ?, test_fault = ?, balance = ?, balance_updated_time = ? WHERE id = ?',
  )
  const ended = database.prepare('UPDATE channels SET status = ?, other_info = ? WHERE id = ?')
  for (const [at, id] of ids.entries()) {
    if (at % 4 !== 3)
      tested.run(
        180 + ((at * 997) % 5_400),
        nowSeconds - at * 600,
        at % 11 === 6 ? 'The upstream says that the key is invalid (401).' : '',
        at % 60,
        nowSeconds,
        id,
      )
    if (at < 2 || at % 9 !== 5) continue
    const isAutomatic = at % 2 === 1
    const reason = isAutomatic
      ? {
          status_reason: 'The upstream says that the key is invalid (401).',
          status_time: nowSeconds - 7_200,
        }
      : undefined
    ended.run(isAutomatic ? 3 : 2, reason ? JSON.stringify(reason) : '', id)
    endedIds.push(id)
  }
  return endedIds
}
