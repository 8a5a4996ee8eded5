// A PostgreSQL of its own with a hot standby, behind one address that moves.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { freePort, postgresBinaries, unprivilegedOwner } from '../postgres.ts'
import { tcpGate } from './tcp-gate.ts'

const host = '127.0.0.1'
const bound = { listen_addresses: host, unix_socket_directories: '', fsync: 'off' }

export interface StandbyPair {
  /** Leads to the server that writes. */
  url: string
  /** From now on the standby lacks what is committed. Not where commits wait for it. */
  fallBehind(): Promise<void>
  /** Kills the primary, promotes the standby and moves the address. */
  failOver(): Promise<void>
  close(): Promise<void>
}

/** @param isSynchronous commits wait until the standby has them */
export async function startStandbyPair(isSynchronous: boolean): Promise<StandbyPair> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-standby-'))
  const owner = unprivilegedOwner()
  chmodSync(folder, 0o755)
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid)
  const options = { ...owner, cwd: folder, stdio: 'ignore' as const }
  const run = (program: string, ...words: string[]) =>
    execFileSync(join(postgresBinaries() ?? '', program), words, options)
  const [old, next] = [join(folder, 'old'), join(folder, 'next')]
  const start = (data: string, port: number, more: Record<string, string>) => {
    const settings = Object.entries({ ...bound, ...more, port })
    const words = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])
    return spawn(join(postgresBinaries() ?? '', 'postgres'), ['-D', data, ...words], options)
  }
  const [oldPort, nextPort] = [await freePort(), await freePort()]
  run('initdb', '-D', old, '-U', 'test', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync')
  const primary = start(old, oldPort, {})
  await untilAnswering(oldPort)
  run('pg_basebackup', '-h', host, '-p', `${oldPort}`, '-U', 'test', '-D', next, '-R', '-c', 'fast')
  const standby = start(next, nextPort, {})
  await untilAnswering(nextPort)
  if (isSynchronous) await ask(oldPort, `ALTER SYSTEM SET synchronous_standby_names = '*'`)
  await ask(oldPort, 'SELECT pg_reload_conf()')
  const target = { host, port: oldPort }
  const gate = await tcpGate(target)
  return {
    url: `postgres://test@${host}:${gate.port}/postgres`,
    fallBehind: async () => {
      await ask(nextPort, `ALTER SYSTEM SET primary_conninfo = ''`)
      await ask(nextPort, 'SELECT pg_reload_conf()')
      while ((await ask(oldPort, 'SELECT FROM pg_stat_replication')) > 0) await wait(50)
    },
    failOver: async () => {
      await ended(primary, 'SIGKILL')
      await ask(nextPort, 'SELECT pg_promote()')
      gate.shut()
      target.port = nextPort
      gate.open()
    },
    close: async () => {
      await gate.close()
      for (const server of [primary, standby]) await ended(server, 'SIGQUIT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function ended(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exited = once(server, 'exit')
  server.kill(signal)
  await exited
}

/** @returns how many rows there are */
async function ask(port: number, sql: string): Promise<number> {
  const client = new Client({ host, port, user: 'test', database: 'postgres' })
  await client.connect()
  try {
    return (await client.query(sql)).rowCount ?? 0
  } finally {
    await client.end()
  }
}

async function untilAnswering(port: number): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await ask(port, 'SELECT 1')
      return
    } catch (error) {
      if (tries > 300) throw error
      await wait(100)
    }
  }
}
