// The databases that the product runs on, for tests: SQLite, and PostgreSQL on one server per test run.
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { Client } from 'pg'
import { migratedName, postgresBinaries, sharedPostgresUrl } from './postgres.ts'
import { quietLog } from './quiet-log.ts'
import { createSqlite, openMigrated, type TestDatabase } from './sqlite.ts'

export { createSqlite, quietLog, type TestDatabase }

export interface DatabaseKind {
  name: 'sqlite3' | 'node:sqlite' | 'PostgreSQL'
  create: () => Promise<TestDatabase>
}

type SqliteDriver = Exclude<DatabaseKind['name'], 'PostgreSQL'>

const sqliteBy = (driver: SqliteDriver): DatabaseKind => ({
  name: driver,
  create: () => createSqlite(driver),
})

const postgres = postgresKinds()

/** For `describe.each(databaseKinds)`: each engine, with the SQLite driver that the gateway prefers. PostgreSQL is
 *  left out with a warning where it is not installed, which fails with CI=true. core/data/other-driver.long.test.ts
 *  runs the same tests with Node's own SQLite. */
export const databaseKinds: readonly DatabaseKind[] =
  process.env.TEST_SQLITE_DRIVER === 'node:sqlite'
    ? [sqliteBy('node:sqlite')]
    : [sqliteBy('sqlite3'), ...postgres]

/** Each driver, for tests of how statements are sent (core/data) and of money (core/billing/ledger). */
export const driverKinds: readonly DatabaseKind[] = [
  sqliteBy('sqlite3'),
  sqliteBy('node:sqlite'),
  ...postgres,
]

/** For `describe.runIf`. */
export const hasPostgres = postgres.length > 0

function postgresKinds(): DatabaseKind[] {
  if (process.env.TEST_PG_URL !== undefined || postgresBinaries() !== undefined) {
    return [{ name: 'PostgreSQL', create: createPostgres }]
  }
  const message = 'PostgreSQL is not installed: its tests DO NOT RUN (apt-get install postgresql)'
  if (process.env.CI === 'true') throw new Error(message)
  console.warn(message)
  return []
}

export async function createPostgres(): Promise<TestDatabase> {
  const isShared = process.env.TEST_PG_URL === undefined
  const { url, close } = await createPostgresFrom(isShared ? migratedName : undefined)
  const settings = { url, dataDir: tmpdir(), log: quietLog }
  // A server named by the environment has no template database, so the migrations run there.
  const database = await openMigrated(settings)
  return {
    database,
    settings,
    close: async () => {
      await database.close()
      await close()
    },
  }
}

interface BarePostgres {
  url: string
  close: () => Promise<void>
}

/** Without tables.
 *  @param words after the name in CREATE DATABASE: `ENCODING 'LATIN1'` */
export function createEmptyPostgres(words = ''): Promise<BarePostgres> {
  return createPostgresFrom(undefined, words)
}

async function createPostgresFrom(template: string | undefined, words = ''): Promise<BarePostgres> {
  const server = process.env.TEST_PG_URL ?? (await sharedPostgresUrl())
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const source = template === undefined ? '' : ` TEMPLATE ${template}`
  await query(server, `CREATE DATABASE ${name}${source} ${words}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, close: () => query(server, `DROP DATABASE ${name} WITH (FORCE)`) }
}

async function query(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
