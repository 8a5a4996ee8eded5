// Runs beside a test run: `node postgres-keeper.ts FOLDER RUN_PROCESS_ID BINARIES` starts PostgreSQL in the folder,
// makes the template database, and writes its address to FOLDER/url. When the process of the run has ended, it stops
// the server and removes the folder.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { ownCertificate } from './own-certificate.ts'
import { freePort, migratedName, unprivilegedOwner } from './postgres.ts'
import { quietLog } from './quiet-log.ts'
import { openMigrated } from './sqlite.ts'

const [folder = '', runId = '', binaries = ''] = process.argv.slice(2)

await keep()

async function keep(): Promise<void> {
  const owner = unprivilegedOwner()
  const data = join(folder, 'data')
  // Independent of the umask, because the server runs as another user.
  if (owner !== undefined) chmodSync(folder, 0o755)
  const log = openSync(join(folder, 'log'), 'a')
  mkdirSync(data, { mode: 0o700 })
  if (owner !== undefined) chownSync(data, owner.uid, owner.gid)
  const fileOf = (name: string, text: string) => {
    const file = join(data, name)
    writeFileSync(file, text, { mode: 0o600 })
    if (owner !== undefined) chownSync(file, owner.uid, owner.gid)
    return file
  }
  const options = { ...owner, cwd: data, stdio: ['ignore', log, log] as ['ignore', number, number] }
  execFileSync(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'test', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    options,
  )
  const { cert, key } = ownCertificate
  const certificateFile = fileOf('certificate.pem', cert)
  // Only the server may read it.
  const keyFile = fileOf('key.pem', key)
  const settings = {
    ssl: 'on',
    ssl_cert_file: certificateFile,
    ssl_key_file: keyFile,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 300,
    fsync: 'off',
  }
  const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const start = (port: number) =>
    spawn(join(binaries, 'postgres'), ['-D', data, ...words, '-c', `port=${port}`], options)
  const { server, port } = await startOnFreePort(start)
  const ended = once(server, 'exit')
  const address = `postgres://test@127.0.0.1:${port}`
  await makeMigrated(address).catch((error: unknown) => {
    server.kill('SIGINT')
    throw error
  })
  // Renamed into place, so that nobody reads an incomplete address.
  writeFileSync(join(folder, 'url.new'), `${address}/postgres`)
  renameSync(join(folder, 'url.new'), join(folder, 'url'))
  while (isRunning(Number(runId)) && server.exitCode === null) await wait(500)
  server.kill('SIGINT')
  await ended
  rmSync(folder, { recursive: true, force: true })
}

/** The template database with all migrations. Nobody connects to it afterwards. */
async function makeMigrated(address: string): Promise<void> {
  const client = new Client({ connectionString: `${address}/postgres` })
  await client.connect()
  await client.query(`CREATE DATABASE ${migratedName}`)
  await client.end()
  const settings = { url: `${address}/${migratedName}`, dataDir: folder, log: quietLog }
  await (await openMigrated(settings)).close()
}

/** Tries another port if a free one was taken in the meantime.
 *  @throws Error if none works */
async function startOnFreePort(start: (port: number) => ChildProcess) {
  for (let tries = 0; tries < 5; tries += 1) {
    const port = await freePort()
    const server = start(port)
    while (server.exitCode === null) {
      await wait(100)
      if (isReady(port) && server.exitCode === null) return { server, port }
    }
  }
  throw new Error('PostgreSQL does not start: see the log beside its data')
}

function isReady(port: number): boolean {
  try {
    execFileSync(join(binaries, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)])
    return true
  } catch {
    return false
  }
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}
