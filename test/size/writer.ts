// One connection past the gateway, over which a large set is made by statements of each database's own.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'

export interface Writer {
  run(sql: string): Promise<void>
  /** The whole numbers from `from` to `to`: a statement's `WITH` and the name of the table that has them as `n`. */
  series(from: number, to: number): { head: string; table: string }
  /** Seconds as the fourteen digits with which a request's id begins, in UTC. */
  digitsOf(seconds: string): string
  /** Rows go in without a table's indexes, which are built afterwards at one go: ten million rows in minutes. */
  withoutIndexes(table: string, work: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

export function sqliteWriter(dataDir: string): Writer {
  const database = new DatabaseSync(join(dataDir, 'tollgate.db'), { timeout: 60_000 })
  const run = (sql: string) => Promise.resolve(database.exec(sql))
  return {
    run,
    series: (from, to) => ({
      head: `WITH RECURSIVE series (n) AS (SELECT CAST(${from} AS BIGINT) UNION ALL SELECT n + 1 FROM series WHERE n < ${to})`,
      table: 'series',
    }),
    digitsOf: (seconds) => `strftime('%Y%m%d%H%M%S', ${seconds}, 'unixepoch')`,
    withoutIndexes: async (table, work) => {
      const rows = database
        .prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?`)
        .all(table)
      await rebuilt(run, rows.map(definition), work)
    },
    close: () => Promise.resolve(database.close()),
  }
}

export async function postgresWriter(connectionString: string): Promise<Writer> {
  const client = new Client({ connectionString })
  await client.connect()
  const run = async (sql: string) => void (await client.query(sql))
  await run(`SET synchronous_commit = off; SET maintenance_work_mem = '1GB'`)
  return {
    run,
    series: (from, to) => ({
      head: '',
      table: `generate_series(CAST(${from} AS BIGINT), ${to}) AS series (n)`,
    }),
    digitsOf: (seconds) =>
      `to_char(to_timestamp(${seconds}) AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISS')`,
    withoutIndexes: async (table, work) => {
      const { rows } = await client.query<Record<string, unknown>>(
        `SELECT indexname AS name, indexdef AS sql FROM pg_indexes WHERE tablename = $1 AND indexname NOT LIKE '%_pkey'`,
        [table],
      )
      await rebuilt(run, rows.map(definition), work)
    },
    close: () => client.end(),
  }
}

interface Definition {
  name: string
  sql: string
}

function definition({ name, sql }: Record<string, unknown>): Definition {
  return { name: String(name), sql: String(sql) }
}

async function rebuilt(
  run: Writer['run'],
  indexes: readonly Definition[],
  work: () => Promise<void>,
): Promise<void> {
  for (const { name } of indexes) await run(`DROP INDEX ${name}`)
  await work()
  for (const { name, sql } of indexes) {
    process.stderr.write(`  index ${name}\n`)
    // The gateway that runs beside it may have missed the index, and have made it.
    await run(sql.replace('CREATE INDEX', 'CREATE INDEX IF NOT EXISTS'))
  }
}
