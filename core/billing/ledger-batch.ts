import type { LogRow } from '../index.ts'
import { literal } from '../data/literal.ts'

/** One settlement as it is written. The parts are what it takes from this node's leases; the rest comes from the balance alone. */
export interface Settlement {
  requestId: string
  userId: number
  tokenId: number
  channelId: number
  units: number
  userPart: number
  tokenPart: number
  /** False when those leases were lost since. */
  isBacked: () => boolean
  atSeconds: number
}

export interface BatchItem {
  settlement?: Settlement | undefined
  log?: Partial<LogRow> | undefined
  /** Statements of core that must be committed with it, written by `literal`, without a semicolon at the end. */
  alongside?: string | undefined
}

interface Sums {
  units: number
  part: number
  count: number
}

const logColumns =
  'user_id, username, created_at, type, content, token_name, token_id, model_name, quota, prompt_tokens, ' +
  'completion_tokens, use_time, is_stream, channel_id, "group", other, request_id'

/** The statements of one group commit, the same text for SQLite and PostgreSQL (rows as VALUES measured a quarter faster than as JSON). */
export function batchSql(
  items: readonly BatchItem[],
  nodeId: string,
  newModels: readonly string[],
): string {
  const settlements = items.flatMap(({ settlement }) => settlement ?? [])
  const users = sumBy(
    settlements,
    ({ userId }) => userId,
    (item) => (item.isBacked() ? item.userPart : 0),
  )
  const tokens = sumBy(
    settlements,
    ({ tokenId }) => tokenId,
    (item) => (item.isBacked() ? item.tokenPart : 0),
  )
  const channels = sumBy(
    settlements,
    ({ channelId }) => channelId,
    () => 0,
  )
  const atSeconds = settlements.reduce((latest, item) => Math.max(latest, item.atSeconds), 0)
  return [
    updateUsers(users),
    updateTokens(tokens, atSeconds),
    updateChannels(channels),
    updateLeases(users, 'user', nodeId),
    updateLeases(tokens, 'token', nodeId),
    insertEntries(settlements),
    insertLogs(items.flatMap(({ log }) => log ?? [])),
    insertModels(newModels),
    ...items.map(({ alongside }) => alongside ?? ''),
  ]
    .filter((statement) => statement !== '')
    .join(';\n')
}

/** PostgreSQL: takes the row locks in one order, so that nodes' batches wait for each other instead of deadlocking. */
export function lockSql(items: readonly BatchItem[]): string {
  const settlements = items.flatMap(({ settlement }) => settlement ?? [])
  const lock = (table: string, ids: number[]) => {
    const distinct = [...new Set(ids)].filter((id) => id !== 0)
    if (distinct.length < 2) return ''
    return `SELECT 1 FROM ${table} WHERE id IN (${distinct.join(', ')}) ORDER BY id FOR UPDATE;\n`
  }
  return (
    lock(
      'users',
      settlements.map(({ userId }) => userId),
    ) +
    lock(
      'tokens',
      settlements.map(({ tokenId }) => tokenId),
    ) +
    lock(
      'channels',
      settlements.map(({ channelId }) => channelId),
    )
  )
}

function sumBy(
  settlements: readonly Settlement[],
  idOf: (settlement: Settlement) => number,
  partOf: (settlement: Settlement) => number,
): Map<number, Sums> {
  const sums = new Map<number, Sums>()
  for (const settlement of settlements) {
    const id = idOf(settlement)
    if (id === 0) continue
    const sum = sums.get(id)
    if (sum === undefined) {
      sums.set(id, { units: settlement.units, part: partOf(settlement), count: 1 })
    } else {
      sum.units += settlement.units
      sum.part += partOf(settlement)
      sum.count += 1
    }
  }
  return sums
}

function sumRows(sums: ReadonlyMap<number, Sums>): string {
  return [...sums]
    .map(([id, { units, part, count }]) => `(${id}, ${literal(units)}, ${literal(part)}, ${count})`)
    .join(', ')
}

function updateUsers(sums: ReadonlyMap<number, Sums>): string {
  if (sums.size === 0) return ''
  return `WITH spent (id, units, part, calls) AS (VALUES ${sumRows(sums)})
UPDATE users SET quota = quota - spent.units, leased = leased - spent.part,
used_quota = used_quota + spent.units, request_count = request_count + spent.calls
FROM spent WHERE users.id = spent.id`
}

/** Status 4 is "exhausted"; a token without limit keeps its remainder. */
function updateTokens(sums: ReadonlyMap<number, Sums>, atSeconds: number): string {
  if (sums.size === 0) return ''
  return `WITH spent (id, units, part, calls) AS (VALUES ${sumRows(sums)})
UPDATE tokens SET used_quota = used_quota + spent.units, leased = leased - spent.part, accessed_time = ${atSeconds},
remain_quota = CASE WHEN unlimited_quota THEN remain_quota ELSE remain_quota - spent.units END,
status = CASE WHEN status = 1 AND NOT unlimited_quota AND remain_quota - spent.units <= 0 THEN 4 ELSE status END
FROM spent WHERE tokens.id = spent.id`
}

function updateChannels(sums: ReadonlyMap<number, Sums>): string {
  if (sums.size === 0) return ''
  return `WITH spent (id, units, part, calls) AS (VALUES ${sumRows(sums)})
UPDATE channels SET used_quota = used_quota + spent.units FROM spent WHERE channels.id = spent.id`
}

function updateLeases(
  sums: ReadonlyMap<number, Sums>,
  kind: 'user' | 'token',
  nodeId: string,
): string {
  const leased = new Map([...sums].filter(([, { part }]) => part !== 0))
  if (leased.size === 0) return ''
  return `WITH spent (id, units, part, calls) AS (VALUES ${sumRows(leased)})
UPDATE leases SET units = leases.units - spent.part FROM spent
WHERE node_id = ${literal(nodeId)} AND kind = '${kind}' AND subject_id = spent.id`
}

/** Runs after the users' update: the balance after an entry is the new balance and what later entries of the batch took. */
function insertEntries(settlements: readonly Settlement[]): string {
  const laterUnits = new Map<number, number>()
  const rows: string[] = []
  for (let index = settlements.length - 1; index >= 0; index -= 1) {
    const entry = settlements[index]
    // A free call changes no balance.
    if (entry === undefined || entry.units === 0) continue
    const later = laterUnits.get(entry.userId) ?? 0
    rows.push(
      `(${index}, ${entry.userId}, ${entry.tokenId}, ${literal(entry.requestId)}, ${literal(entry.units)}, ${literal(later)}, ${entry.atSeconds})`,
    )
    laterUnits.set(entry.userId, later + entry.units)
  }
  if (rows.length === 0) return ''
  return `WITH entry (place, user_id, token_id, ref, units, later, at) AS (VALUES ${rows.join(', ')})
INSERT INTO ledger_entries (user_id, token_id, kind, ref, amount, balance, created_at)
SELECT entry.user_id, entry.token_id, 'consume', entry.ref, -entry.units, users.quota + entry.later, entry.at
FROM entry JOIN users ON users.id = entry.user_id ORDER BY entry.place`
}

export function insertLogs(rows: readonly Partial<LogRow>[]): string {
  if (rows.length === 0) return ''
  return `INSERT INTO logs (${logColumns}) VALUES ${rows.map(logValues).join(',\n')}`
}

/** In one order, so that two nodes with the same new names wait for each other instead of deadlocking. */
function insertModels(names: readonly string[]): string {
  if (names.length === 0) return ''
  const values = [...names].sort().map((name) => `(${literal(name)})`)
  return `INSERT INTO log_models (name) VALUES ${values.join(', ')} ON CONFLICT DO NOTHING`
}

function logValues(row: Partial<LogRow>): string {
  const userId = literal(row.user_id ?? 0)
  const username =
    row.username === undefined
      ? `COALESCE((SELECT username FROM users WHERE id = ${userId}), '')`
      : literal(row.username)
  const values = [
    row.created_at ?? Math.floor(Date.now() / 1000),
    row.type ?? 0,
    row.content ?? '',
    row.token_name ?? '',
    row.token_id ?? 0,
    row.model_name ?? '',
    row.quota ?? 0,
    row.prompt_tokens ?? 0,
    row.completion_tokens ?? 0,
    row.use_time ?? 0,
    row.is_stream ?? false,
    row.channel_id ?? 0,
    row.group ?? '',
    row.other ?? '',
    row.request_id ?? '',
  ]
  return `(${userId}, ${username}, ${values.map(logLiteral).join(', ')})`
}

/** A number that no integer column holds (a broken upstream count) must not keep a charge from being written. */
function logLiteral(value: string | number | boolean): string {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return literal(value)
  const whole = Math.trunc(value)
  return Number.isSafeInteger(whole) ? literal(whole) : '0'
}
