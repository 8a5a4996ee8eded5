import type { LogRow } from '../../contract/money-services.ts'
import type { Statement } from '../../data/named-values.ts'

/** One settlement as it is written. The parts are what this node's leases pay; the balance pays the rest. */
export interface Settlement {
  requestId: string
  userId: number
  tokenId: number
  channelId: number
  units: number
  userPart: number
  tokenPart: number
  /** False if those leases were lost since then. */
  isBacked: () => boolean
  atSeconds: number
}

export interface BatchItem {
  settlement?: Settlement | undefined
  log?: Partial<LogRow> | undefined
  /** Statements of core that must be committed together with it. */
  alongside?: readonly Statement[] | undefined
}

/** The content of one group commit. */
export interface BatchContent {
  spentByUser: readonly Spent[]
  spentByToken: readonly Spent[]
  spentByChannel: readonly Spent[]
  userLeases: readonly Spent[]
  tokenLeases: readonly Spent[]
  /** In the order in which they were made. */
  entries: readonly Entry[]
  logs: readonly Partial<LogRow>[]
  /** Names of models that no log row has had before. */
  models: readonly string[]
  /** Unix seconds of the newest settlement. */
  atSeconds: number
}

/** The sums of one user, token or channel: its units, the part of them that its lease pays, and its calls. */
export interface Spent {
  id: number
  units: number
  part: number
  calls: number
}

export interface Entry {
  user_id: number
  token_id: number
  ref: string
  units: number
  /** Units that later entries of the batch take from the same balance. */
  later: number
  created_at: number
}

export function batchContent(
  items: readonly BatchItem[],
  newModels: readonly string[],
): BatchContent {
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
  return {
    spentByUser: users,
    spentByToken: tokens,
    spentByChannel: channels,
    userLeases: users.filter(({ part }) => part !== 0),
    tokenLeases: tokens.filter(({ part }) => part !== 0),
    entries: entriesOf(settlements),
    logs: items.flatMap(({ log }) => (log === undefined ? [] : wholeRow(log))),
    models: newModels,
    atSeconds: settlements.reduce((latest, item) => Math.max(latest, item.atSeconds), 0),
  }
}

/** Sorted by id, so that the batches of two nodes take locks in the same order. */
function sumBy(
  settlements: readonly Settlement[],
  idOf: (settlement: Settlement) => number,
  partOf: (settlement: Settlement) => number,
): Spent[] {
  const sums = new Map<number, Spent>()
  for (const settlement of settlements) {
    const id = idOf(settlement)
    if (id === 0) continue
    const sum = sums.get(id) ?? { id, units: 0, part: 0, calls: 0 }
    sum.units = exact(sum.units + settlement.units)
    sum.part = exact(sum.part + partOf(settlement))
    sum.calls += 1
    sums.set(id, sum)
  }
  return [...sums.values()].sort((a, b) => a.id - b.id)
}

function entriesOf(settlements: readonly Settlement[]): Entry[] {
  const laterUnits = new Map<number, number>()
  const entries: Entry[] = []
  for (const { userId, tokenId, requestId, units, atSeconds } of settlements.toReversed()) {
    // A free call has no entry, because it changes no balance.
    if (units === 0) continue
    const later = laterUnits.get(userId) ?? 0
    laterUnits.set(userId, later + units)
    entries.push({
      user_id: userId,
      token_id: tokenId,
      ref: requestId,
      units,
      later,
      created_at: atSeconds,
    })
  }
  return entries.reverse()
}
export function wholeRow(
  row: Partial<LogRow>,
): Omit<LogRow, 'username'> & Partial<Pick<LogRow, 'username'>> {
  return {
    user_id: row.user_id ?? 0,
    // Without a name in the row, the statement writes the user's current name.
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

/** A number that does not fit an integer column, such as a wrong count of an upstream, must not prevent the charge. */
function whole(value = 0): number {
  const integer = Math.trunc(value)
  return Number.isSafeInteger(integer) ? integer : 0
}

function exact(units: number): number {
  if (!Number.isSafeInteger(units)) throw new RangeError(`${units} is no integer within 2^53`)
  return units
}

/** Receives the log rows that were committed. */
export interface LogAudience {
  readonly isEmpty: boolean
  publish(rows: readonly LogRow[]): void
}

/** The row as the audience gets it. The name is empty if the database fills it in. */
export function publishedRow(row: Partial<LogRow>): LogRow {
  return { username: '', ...wholeRow(row) }
}
