import type { LogRow } from '../../contract/money-services.ts'
import { columnTypes } from '../../data/models/define-model.ts'
import { newLogRow } from '../../data/models/log.ts'
import { rowsFrom, type Statement } from '../../data/named-values.ts'

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
  /** Statements of core that must be committed with it. */
  alongside?: readonly Statement[] | undefined
}

interface Sums {
  units: number
  part: number
  count: number
}

type Dialect = 'sqlite' | 'postgres'

const logColumns = columnTypes(newLogRow)

const entryColumns = {
  place: 'bigint',
  user_id: 'bigint',
  token_id: 'bigint',
  ref: 'text',
  units: 'bigint',
  later: 'bigint',
  at: 'bigint',
} as const

/**
 * The statements of one group commit. Text is bound; sums are digits, which is all that a statement may have
 * of values in its own text.
 */
export function batchStatements(
  items: readonly BatchItem[],
  {
    dialect,
    nodeId,
    newModels,
  }: { dialect: Dialect; nodeId: string; newModels: readonly string[] },
): Statement[] {
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
  const statements = [
    updateUsers(users),
    updateTokens(tokens, atSeconds),
    updateChannels(channels),
    updateLeases(users, 'user', nodeId),
    updateLeases(tokens, 'token', nodeId),
    insertEntries(settlements, dialect),
    insertLogs(
      items.flatMap(({ log }) => log ?? []),
      dialect,
    ),
    insertModels(newModels, dialect),
    ...items.flatMap(({ alongside }) => alongside ?? []),
  ]
  return statements.filter(({ sql }) => sql !== '')
}

/** PostgreSQL: takes the row locks in one order, so that nodes' batches wait for each other instead of deadlocking. */
export function lockStatements(items: readonly BatchItem[]): Statement[] {
  const settlements = items.flatMap(({ settlement }) => settlement ?? [])
  const lock = (table: string, idOf: (settlement: Settlement) => number) => {
    const ids = [...new Set(settlements.map(idOf))].filter((id) => id !== 0)
    if (ids.length < 2) return []
    const sql = `SELECT 1 FROM ${table} WHERE id IN (:ids) ORDER BY id FOR UPDATE`
    return [{ sql, values: { ids } }]
  }
  return [
    ...lock('users', ({ userId }) => userId),
    ...lock('tokens', ({ tokenId }) => tokenId),
    ...lock('channels', ({ channelId }) => channelId),
  ]
}

const nothing: Statement = { sql: '' }

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
    .map(
      ([id, { units, part, count }]) => `(${exact(id)}, ${exact(units)}, ${exact(part)}, ${count})`,
    )
    .join(', ')
}

function updateUsers(sums: ReadonlyMap<number, Sums>): Statement {
  if (sums.size === 0) return nothing
  const sql = `WITH spent (id, units, part, calls) AS (VALUES ${sumRows(sums)})
UPDATE users SET quota = quota - spent.units, leased = leased - spent.part,
used_quota = used_quota + spent.units, request_count = request_count + spent.calls
FROM spent WHERE users.id = spent.id`
  return { sql }
}

/** Status 4 is "exhausted"; a token without limit keeps its remainder. */
function updateTokens(sums: ReadonlyMap<number, Sums>, atSeconds: number): Statement {
  if (sums.size === 0) return nothing
  const sql = `WITH spent (id, units, part, calls) AS (VALUES ${sumRows(sums)})
UPDATE tokens SET used_quota = used_quota + spent.units, leased = leased - spent.part, accessed_time = ${atSeconds},
remain_quota = CASE WHEN unlimited_quota THEN remain_quota ELSE remain_quota - spent.units END,
status = CASE WHEN status = 1 AND NOT unlimited_quota AND remain_quota - spent.units <= 0 THEN 4 ELSE status END
FROM spent WHERE tokens.id = spent.id`
  return { sql }
}

function updateChannels(sums: ReadonlyMap<number, Sums>): Statement {
  if (sums.size === 0) return nothing
  const sql = `WITH spent (id, units, part, calls) AS (VALUES ${sumRows(sums)})
UPDATE channels SET used_quota = used_quota + spent.units FROM spent WHERE channels.id = spent.id`
  return { sql }
}

function updateLeases(
  sums: ReadonlyMap<number, Sums>,
  kind: 'user' | 'token',
  nodeId: string,
): Statement {
  const leased = new Map([...sums].filter(([, { part }]) => part !== 0))
  if (leased.size === 0) return nothing
  const sql = `WITH spent (id, units, part, calls) AS (VALUES ${sumRows(leased)})
UPDATE leases SET units = leases.units - spent.part FROM spent
WHERE node_id = :nodeId AND kind = '${kind}' AND subject_id = spent.id`
  return { sql, values: { nodeId } }
}

/** Runs after the users' update: the balance after an entry is the new balance and what later entries of the batch took. */
function insertEntries(settlements: readonly Settlement[], dialect: Dialect): Statement {
  const laterUnits = new Map<number, number>()
  const rows: Record<keyof typeof entryColumns, string | number>[] = []
  for (let index = settlements.length - 1; index >= 0; index -= 1) {
    const entry = settlements[index]
    // A free call changes no balance.
    if (entry === undefined || entry.units === 0) continue
    const { userId, tokenId, requestId, units, atSeconds } = entry
    const later = laterUnits.get(userId) ?? 0
    rows.push({
      place: index,
      user_id: userId,
      token_id: tokenId,
      ref: requestId,
      units,
      later,
      at: atSeconds,
    })
    laterUnits.set(userId, later + units)
  }
  if (rows.length === 0) return nothing
  const { from, values } = rowsFrom(dialect, 'entry', entryColumns, rows)
  const sql = `INSERT INTO ledger_entries (user_id, token_id, kind, ref, amount, balance, created_at)
SELECT entry.user_id, entry.token_id, 'consume', entry.ref, -entry.units, users.quota + entry.later, entry.at
FROM ${from} JOIN users ON users.id = entry.user_id ORDER BY entry.place`
  return { sql, values }
}

const logNames = Object.keys(logColumns).map((name) => `"${name}"`)
const logValues = logNames.map((name) =>
  name === '"username"'
    ? `COALESCE(log.username, (SELECT username FROM users WHERE id = log.user_id), '')`
    : `log.${name}`,
)

export function insertLogs(rows: readonly Partial<LogRow>[], dialect: Dialect): Statement {
  if (rows.length === 0) return nothing
  const { from, values } = rowsFrom(dialect, 'log', logColumns, rows.map(wholeRow))
  const sql = `INSERT INTO logs (${logNames.join(', ')}) SELECT ${logValues.join(', ')} FROM ${from}`
  return { sql, values }
}

/** In one order, so that two nodes with the same new names wait for each other instead of deadlocking. */
function insertModels(names: readonly string[], dialect: Dialect): Statement {
  if (names.length === 0) return nothing
  const rows = names.map((name) => ({ name }))
  const { from, values } = rowsFrom(dialect, 'model', { name: 'text' }, rows)
  const sql = `INSERT INTO log_models (name) SELECT model.name FROM ${from} WHERE TRUE
ORDER BY model.name ON CONFLICT DO NOTHING`
  return { sql, values }
}

export function wholeRow(
  row: Partial<LogRow>,
): Omit<LogRow, 'username'> & Partial<Pick<LogRow, 'username'>> {
  return {
    user_id: row.user_id ?? 0,
    // Without a name it is the user's at the moment of writing.
    ...(row.username === undefined ? {} : { username: row.username }),
    created_at: whole(row.created_at ?? Math.floor(Date.now() / 1000)),
    type: whole(row.type),
    content: row.content ?? '',
    token_name: row.token_name ?? '',
    token_id: whole(row.token_id),
    model_name: row.model_name ?? '',
    quota: whole(row.quota),
    prompt_tokens: whole(row.prompt_tokens),
    completion_tokens: whole(row.completion_tokens),
    use_time_ms: whole(row.use_time_ms),
    is_stream: row.is_stream ?? false,
    channel_id: whole(row.channel_id),
    group: row.group ?? '',
    other: row.other ?? '',
    request_id: row.request_id ?? '',
  }
}

/** A number that no integer column holds (a broken upstream count) must not keep a charge from being written. */
function whole(value = 0): number {
  const integer = Math.trunc(value)
  return Number.isSafeInteger(integer) ? integer : 0
}

function exact(units: number): number {
  if (!Number.isSafeInteger(units)) throw new RangeError(`${units} is no integer within 2^53`)
  return units
}
