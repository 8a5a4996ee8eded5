// Reads each row of the log once for all sums. The database groups the rows and returns the groups as one text, which
// costs a third of reading the rows; all sums are folded from these groups.
import { logType } from '../contract/constants.ts'
import type { DatabaseService, TransactionStatements } from '../contract/services.ts'
import { manyRowsFrom } from '../data/named-values.ts'
import { LIMITS, type GroupedRows } from './log-pairs-sql.ts'
import { isNoTest, isSpend, QUARTER_SECONDS, type SummedRows } from './log-quarters-sql.ts'

const HOUR_SECONDS = 3_600
export const DAY_SECONDS = 86_400

/** Seconds of a bucket for each kind of sum. Kinds with few subjects are summed by the hour, those with many by the
 *  day, because the rows at the ends of a span are found by an index. */
export const sumKinds = {
  group: HOUR_SECONDS,
  model: HOUR_SECONDS,
  'group model': DAY_SECONDS,
  channel: DAY_SECONDS,
  user: DAY_SECONDS,
  token: DAY_SECONDS,
} as const
export type KindName = keyof typeof sumKinds
/** The subject of a sum that has a group and a model. */
export const groupModel = (group: string, model: string) => `${group}\n${model}`
export const kindNames = Object.keys(sumKinds) as KindName[]

const keys = ['user_id', 'channel_id', 'model_name', 'token_name', '"group"', 'username'] as const
const use = `CASE WHEN ${isSpend} THEN 1 WHEN type = ${logType.error} AND ${isNoTest} THEN 2 ELSE 0 END`

type Group = [
  startAt: number,
  /** 1: consumption, 2: an error, 0: neither, or a test of a channel. */
  use: number,
  userId: number,
  channelId: number,
  model: string,
  token: string,
  group: string,
  username: string,
  block: number,
  quota: number,
  rows: number,
  firstId: number,
  lastId: number,
]

async function groupsOf(
  statements: TransactionStatements,
  { where, ...values }: SummedRows,
  block: number,
): Promise<Group[]> {
  const columns = ['start_at', 'use', ...keys, 'block', 'quota', 'row_count', 'first_id', 'last_id']
  const list =
    statements.dialect === 'sqlite'
      ? `json_group_array(json_array(${columns.join(', ')}))`
      : `CAST(json_agg(json_build_array(${columns.join(', ')})) AS text)`
  const [found] = await statements.select<{ groups: string | null }>(
    `SELECT ${list} AS groups FROM (
       SELECT created_at - created_at % ${QUARTER_SECONDS} AS start_at, ${use} AS use, ${keys.join(', ')}, id - id % :block AS block,
         CAST(SUM(quota) AS BIGINT) AS quota, COUNT(*) AS row_count, MIN(id) AS first_id, MAX(id) AS last_id
       FROM logs WHERE ${where} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
     ) AS found`,
    { ...values, block },
  )
  return JSON.parse(found?.groups ?? '[]') as Group[]
}

interface Sum {
  kind: KindName
  subject: string
  start_at: number
  quota: number
}

interface Quarter {
  start_at: number
  first_id: number
  last_id: number
  quota: number
  calls: number
  errors: number
}

interface Owner {
  kind: 'user' | 'channel'
  owner: number
  row_count: number
}

/** Rows per query: the result is folded in one turn of the event loop. */
const READ_AT_ONCE = 5_000
/** Sums per statement. */
const WRITTEN_AT_ONCE = 5_000

/** Folds rows into sums. */
export class LogFold {
  readonly #sums = new Map<string, Map<string, Sum>>()
  readonly #quarters = new Map<number, Quarter>()
  readonly #owners = { user: new Map<number, Owner>(), channel: new Map<number, Owner>() }
  readonly #names = new Map<string, Set<number>>()
  readonly #grouped: GroupedRows[] = []
  /** How many rows were folded. */
  rows = 0
  /** How many sums they make. */
  sums = 0
  /** The newest id; 0 if there were no rows. */
  lastId = 0
  readonly #block: number

  /** @param block how many ids are counted together in a pair */
  constructor(block = LIMITS.block) {
    this.#block = block
  }

  /** Folds the rows after an id that have not been summed yet, until there are enough rows or sums. */
  static async following(
    database: DatabaseService,
    {
      last,
      end,
      most,
      block,
    }: { last: number; end: number; most: { rows: number; sums: number }; block: number },
  ): Promise<LogFold> {
    const fold = new LogFold(block)
    for (let from = last; from < end && fold.rows < most.rows && fold.sums < most.sums; ) {
      const size = Math.min(READ_AT_ONCE, most.rows - fold.rows)
      const [next] = await database.select<{ id: number | null }>(
        'SELECT MIN(id) AS id FROM logs WHERE id > :from',
        { from },
      )
      if (typeof next?.id !== 'number') break
      const to = Math.min(end, next.id + size - 1)
      await fold.read(database, { where: 'id > :from AND id <= :to', from, to })
      from = to
    }
    return fold
  }

  async read(statements: TransactionStatements, rows: SummedRows): Promise<void> {
    for (const group of await groupsOf(statements, rows, this.#block)) this.#add(group)
  }

  /** The rows by all of their values and the block of their ids. */
  get grouped(): readonly GroupedRows[] {
    return this.#grouped
  }

  #add(groupOfRows: Group): void {
    const [startAt, use, user, channel, model, token, group, username, ...counted] = groupOfRows
    const [block, quota, rows, first_id, last_id] = counted
    this.rows += rows
    this.lastId = Math.max(this.lastId, last_id)
    const spent = use === 1 ? quota : 0
    const values = { user, channel, model, group, token, name: username, block }
    this.#grouped.push({ ...values, rows, quota: spent, first_id, last_id })
    this.#addQuarter(groupOfRows)
    this.#addOwner('user', user, rows)
    this.#addOwner('channel', channel, rows)
    const ids = this.#names.get(username)
    if (ids === undefined) this.#names.set(username, new Set([user]))
    else ids.add(user)
    if (use !== 1 || quota === 0) return
    this.#addSum('group', group, startAt, quota)
    this.#addSum('model', model, startAt, quota)
    this.#addSum('group model', groupModel(group, model), startAt, quota)
    this.#addSum('channel', String(channel), startAt, quota)
    this.#addSum('user', String(user), startAt, quota)
    this.#addSum('token', token, startAt, quota)
  }

  #addQuarter([start_at, use, , , , , , , , quota, rows, first_id, last_id]: Group): void {
    const none = { start_at, first_id, last_id, quota: 0, calls: 0, errors: 0 }
    const quarter = this.#quarters.get(start_at) ?? none
    quarter.first_id = Math.min(quarter.first_id, first_id)
    quarter.last_id = Math.max(quarter.last_id, last_id)
    if (use === 1) {
      quarter.quota += quota
      quarter.calls += rows
    }
    if (use === 2) quarter.errors += rows
    this.#quarters.set(start_at, quarter)
  }

  #addOwner(kind: Owner['kind'], owner: number, rows: number): void {
    const known = this.#owners[kind].get(owner)
    if (known === undefined) this.#owners[kind].set(owner, { kind, owner, row_count: rows })
    else known.row_count += rows
  }

  #addSum(kind: KindName, subject: string, startAt: number, quota: number): void {
    const start_at = startAt - (startAt % sumKinds[kind])
    const name = `${kind} ${start_at}`
    let sums = this.#sums.get(name)
    if (sums === undefined) {
      sums = new Map()
      this.#sums.set(name, sums)
    }
    const known = sums.get(subject)
    if (known !== undefined) {
      known.quota += quota
      return
    }
    sums.set(subject, { kind, subject, start_at, quota })
    this.sums += 1
  }

  /** Adds the rows to the stored sums. Must not be called twice for the same rows. */
  async add(statements: TransactionStatements): Promise<void> {
    await this.#writeSums(statements, 1)
    const names = [...this.#names].flatMap(([username, ids]) =>
      Array.from(ids, (user_id) => ({ username, user_id })),
    )
    await inParts(names, (part) => writeNames(statements, part))
    const owners = [...this.#owners.user.values(), ...this.#owners.channel.values()]
    await inParts(owners, (part) => writeOwners(statements, part))
  }

  /** Subtracts the rows from the sums that they were added to. Where they are in the log stays stored. */
  take(statements: TransactionStatements): Promise<void> {
    return this.#writeSums(statements, -1)
  }

  async #writeSums(statements: TransactionStatements, sign: 1 | -1): Promise<void> {
    const quarters = [...this.#quarters.values()].map(({ quota, calls, errors, ...quarter }) => ({
      ...quarter,
      quota: sign * quota,
      calls: sign * calls,
      errors: sign * errors,
    }))
    await writeQuarters(statements, quarters)
    const sums = [...this.#sums.values()].flatMap((ofBucket) =>
      Array.from(ofBucket.values(), (sum) => ({ ...sum, quota: sign * sum.quota })),
    )
    await inParts(sums, (part) => writeSums(statements, part))
  }
}

/** Writes in parts, because building one text for all would block the event loop. */
async function inParts<Row>(
  rows: readonly Row[],
  write: (part: readonly Row[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < rows.length; at += WRITTEN_AT_ONCE) {
    await write(rows.slice(at, at + WRITTEN_AT_ONCE))
  }
}

const sumColumns = { kind: 'text', subject: 'text', start_at: 'bigint', quota: 'bigint' } as const

async function writeSums(statements: TransactionStatements, rows: readonly Sum[]): Promise<void> {
  const { from, values } = manyRowsFrom(statements.dialect, 'part', sumColumns, rows)
  await statements.run(
    `INSERT INTO log_sums (kind, subject, start_at, quota)
     SELECT kind, subject, start_at, quota FROM ${from} WHERE TRUE
     ON CONFLICT (kind, subject, start_at) DO UPDATE SET quota = log_sums.quota + excluded.quota`,
    values,
  )
}

const quarterColumns = {
  start_at: 'bigint',
  first_id: 'bigint',
  last_id: 'bigint',
  quota: 'bigint',
  calls: 'bigint',
  errors: 'bigint',
} as const

async function writeQuarters(
  statements: TransactionStatements,
  rows: readonly Quarter[],
): Promise<void> {
  const { from, values } = manyRowsFrom(statements.dialect, 'part', quarterColumns, rows)
  await statements.run(
    `INSERT INTO log_quarters (start_at, first_id, last_id, quota, calls, errors)
     SELECT start_at, first_id, last_id, quota, calls, errors FROM ${from} WHERE TRUE
     ON CONFLICT (start_at) DO UPDATE SET
       first_id = CASE WHEN excluded.first_id < log_quarters.first_id THEN excluded.first_id ELSE log_quarters.first_id END,
       last_id = CASE WHEN excluded.last_id > log_quarters.last_id THEN excluded.last_id ELSE log_quarters.last_id END,
       quota = log_quarters.quota + excluded.quota, calls = log_quarters.calls + excluded.calls,
       errors = log_quarters.errors + excluded.errors`,
    values,
  )
}

async function writeNames(
  statements: TransactionStatements,
  rows: readonly { username: string; user_id: number }[],
): Promise<void> {
  const columns = { username: 'text', user_id: 'bigint' } as const
  const { from, values } = manyRowsFrom(statements.dialect, 'part', columns, rows)
  await statements.run(
    `INSERT INTO log_users (username, user_id) SELECT username, user_id FROM ${from} WHERE TRUE ON CONFLICT DO NOTHING`,
    values,
  )
}

async function writeOwners(
  statements: TransactionStatements,
  rows: readonly Owner[],
): Promise<void> {
  const columns = { kind: 'text', owner: 'bigint', row_count: 'bigint' } as const
  const { from, values } = manyRowsFrom(statements.dialect, 'part', columns, rows)
  await statements.run(
    `INSERT INTO log_owners (kind, owner, row_count) SELECT kind, owner, row_count FROM ${from} WHERE TRUE
     ON CONFLICT (kind, owner) DO UPDATE SET row_count = log_owners.row_count + excluded.row_count`,
    values,
  )
}
