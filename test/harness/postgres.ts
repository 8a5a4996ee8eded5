// One PostgreSQL server for all test files of a run: the first file that needs it starts it, and it ends with the
// run.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const startLimitMs = 60_000

/** The template database of the shared server, with all migrations; others are copies of it. */
export const migratedName = 'migrated'

/** The folder with initdb and postgres of the newest installed version, in Debian's layout. */
export function postgresBinaries(): string | undefined {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return undefined
  const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a))
  return versions
    .map((version) => join(root, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')))
}

/** @throws Error if the server does not start */
export async function sharedPostgresUrl(): Promise<string> {
  // Test files run in children of one process; a single process, such as a benchmark, is a run of its own.
  const runId = process.env.VITEST === undefined ? process.pid : process.ppid
  const folder = join(tmpdir(), `tollgate-postgres-${runId}`)
  if (await isFirst(folder)) startKeeper(folder, runId)
  const deadline = Date.now() + startLimitMs
  const urlFile = join(folder, 'url')
  while (!existsSync(urlFile)) {
    if (Date.now() > deadline) throw new Error(`PostgreSQL did not start: see ${folder}/log`)
    await wait(50)
  }
  return readFileSync(urlFile, 'utf8')
}

async function isFirst(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o755 })
    return true
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return false
    throw error
  }
}

function startKeeper(folder: string, runId: number): void {
  const script = fileURLToPath(new URL('./postgres-keeper.ts', import.meta.url))
  spawn(process.execPath, [script, folder, String(runId), postgresBinaries() ?? ''], {
    detached: true,
    stdio: 'ignore',
  }).unref()
}

/** PostgreSQL refuses to run as root. */
export function unprivilegedOwner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const number = (flag: string) =>
    Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: number('-u'), gid: number('-g') }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
