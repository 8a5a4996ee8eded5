// Indexes that migrations add and drop. On SQLite, and for small tables, this is part of the upgrade. Large tables of
// PostgreSQL get them afterwards while all nodes write, because in the transaction of the upgrade every call would
// wait.
import type { Client } from 'pg'
import type { Transaction } from 'sequelize'
import type { Logger } from '../contract/services.ts'
import type { Database } from './database.ts'
import { unboundSession } from './postgres/bounded-session-sql.ts'

export interface IndexChange {
  name: string
  table: string
  /** The part after the table's name; if absent, the index is dropped. */
  on?: string
}

/** A table with fewer rows is indexed in less than a second. */
const FEW_ROWS = 100_000

/** Runs as part of the upgrade, for the tables where nobody has to wait for it. */
export async function changeIndexes(
  database: Database,
  changes: readonly IndexChange[],
  transaction: Transaction,
): Promise<void> {
  for (const change of changes) {
    if (database.dialect === 'postgres' && (await isLarge(database, change.table, transaction)))
      continue
    await database.run(statementOf(change, ''), undefined, transaction)
  }
}

async function isLarge(
  database: Database,
  table: string,
  transaction: Transaction,
): Promise<boolean> {
  const sql = `SELECT 1 AS "row" FROM ${table} OFFSET ${FEW_ROWS} LIMIT 1`
  return (await database.select(sql, undefined, transaction)).length > 0
}

function statementOf({ name, table, on }: IndexChange, how: string): string {
  return on === undefined
    ? `DROP INDEX ${how} IF EXISTS ${name}`
    : `CREATE INDEX ${how} IF NOT EXISTS ${name} ON ${table} ${on}`
}

/** Changes what the upgrade has left, one index after the other, additions first, so that no search is without an index
 *  meanwhile. An index whose creation was interrupted exists but is not usable, and is created again. */
export async function changeLateIndexes(
  database: Database,
  changes: readonly IndexChange[],
  { log, signal }: { log: Logger; signal?: AbortSignal | undefined },
): Promise<void> {
  if (database.dialect !== 'postgres') return
  const wanted = [...new Map(changes.map((change) => [change.name, change])).values()]
  const isAdded = ({ on }: IndexChange) => on !== undefined
  for (const change of wanted.toSorted((a, b) => Number(isAdded(b)) - Number(isAdded(a)))) {
    if (signal?.aborted) return
    const [found] = await database.select<{ valid: boolean }>(
      'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass(:name)',
      { name: change.name },
    )
    const isWanted = isAdded(change)
    if (isWanted ? found?.valid === true : found === undefined) continue
    if (isWanted && found !== undefined)
      await runUnbound(database, `DROP INDEX CONCURRENTLY IF EXISTS ${change.name}`)
    await runUnbound(database, statementOf(change, 'CONCURRENTLY'))
    log.info({ index: change.name, isWanted }, 'index changed')
  }
}

/** On a connection of its own, for CONCURRENTLY cannot be in a transaction, in which alone the limits of the server or the role could be set aside: on a
 *  large log each try would end at them. */
async function runUnbound({ sequelize }: Database, sql: string): Promise<void> {
  const { connectionManager } = sequelize
  const connection = await connectionManager.getConnection({ type: 'write' })
  const client = connection as Client
  try {
    await client.query(unboundSession)
    await client.query(sql)
  } finally {
    await connectionManager.destroyConnection(connection)
  }
}
