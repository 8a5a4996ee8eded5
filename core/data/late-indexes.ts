// Indexes that migrations add and drop. On SQLite, and where a table is small, that is a part of the upgrade; a large table of PostgreSQL gets
// them afterwards, while all nodes write: in the transaction of the upgrade every call would wait for them.
import type { Transaction } from 'sequelize'
import type { Logger } from '../contract/services.ts'
import type { Database } from './database.ts'

export interface IndexChange {
  name: string
  table: string
  /** What follows the table's name; left out, the index is dropped. */
  on?: string
}

/** Rows that are indexed in less than a second. */
const FEW_ROWS = 100_000

/** As a part of the upgrade, where nobody has to wait for it. */
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

/** What the upgrade left, one after another: first what is added, so that nothing is searched without an index meanwhile. An index whose building
 *  was broken off is there and of no use: it is built anew. */
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
      await database.run(`DROP INDEX CONCURRENTLY IF EXISTS ${change.name}`)
    await database.run(statementOf(change, 'CONCURRENTLY'))
    log.info({ index: change.name, isWanted }, 'index changed')
  }
}
