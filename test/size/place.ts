// Where a large set lives: a data directory and a database that go away afterwards, or a folder that is kept for the next time.
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Client } from 'pg'
import { type App, rootAccount, startApp } from '../harness/app.ts'
import { createPostgres } from '../harness/databases.ts'

export interface Place {
  app: App
  dataDir: string
  postgresUrl: string | undefined
  isFilled: boolean
  /** PostgreSQL's processes that answer; none on SQLite. */
  backends(): Promise<readonly number[]>
  markFilled(): Promise<void>
  close(): Promise<void>
}

interface Options {
  isPostgres: boolean
  keep: string | undefined
  metricsToken: string
}

export async function openPlace({ isPostgres, keep, metricsToken }: Options): Promise<Place> {
  const folder = keep === undefined ? undefined : resolve(keep)
  const mark = folder && join(folder, 'filled')
  const isFilled = mark !== undefined && existsSync(mark)
  const database = isPostgres ? await postgresAt(folder, isFilled) : undefined
  if (folder !== undefined) await mkdir(folder, { recursive: true })
  const app = await startApp({
    isSetUp: !isFilled,
    env: {
      METRICS_TOKEN: metricsToken,
      ...(database === undefined ? {} : { DATABASE_URL: database.url }),
      ...(folder === undefined ? {} : { DATA_DIR: folder }),
    },
  })
  if (isFilled) await app.root.signIn(rootAccount.username, rootAccount.password)
  return {
    app,
    dataDir: folder ?? app.dataDir,
    postgresUrl: database?.url,
    isFilled,
    backends: () => (database === undefined ? Promise.resolve([]) : backendsOf(database.url)),
    markFilled: async () => {
      if (mark !== undefined) await writeFile(mark, '')
    },
    close: async () => {
      await app.close()
      await database?.close()
    },
  }
}

async function backendsOf(connectionString: string): Promise<number[]> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    )
    return rows.map(({ pid }) => pid)
  } finally {
    await client.end()
  }
}

const KEPT_DATABASE = 'tollgate_size'

async function postgresAt(
  folder: string | undefined,
  isFilled: boolean,
): Promise<{ url: string; close: () => Promise<void> }> {
  if (folder === undefined) {
    const { settings, close } = await createPostgres()
    return { url: settings.url ?? '', close }
  }
  const server = process.env.TEST_PG_URL
  if (server === undefined) throw new Error('--keep with PostgreSQL needs a server: TEST_PG_URL')
  const url = new URL(server)
  url.pathname = `/${KEPT_DATABASE}`
  if (!isFilled) {
    const client = new Client({ connectionString: server })
    await client.connect()
    await client.query(`DROP DATABASE IF EXISTS ${KEPT_DATABASE} WITH (FORCE)`)
    await client.query(`CREATE DATABASE ${KEPT_DATABASE}`)
    await client.end()
  }
  return { url: url.href, close: () => Promise.resolve() }
}
