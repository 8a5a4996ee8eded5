// A Redis server for one test, on a socket in its own folder.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

export interface TestRedis {
  url: string
  start(): Promise<void>
  stop(): Promise<void>
  /** Stops the server and removes its folder. */
  close(): Promise<void>
}

/** For `describe.skipIf(!hasRedis)`; with CI=true a machine without redis-server fails. */
export const hasRedis = findRedis()

function findRedis(): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter)
  if (folders.some((folder) => existsSync(join(folder, 'redis-server')))) return true
  const message = 'Redis is not installed: its tests DO NOT RUN (apt-get install redis-server)'
  if (process.env.CI === 'true') throw new Error(message)
  console.warn(message)
  return false
}

export async function createRedis(): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-redis-'))
  const socket = join(folder, 'redis.sock')
  let server: ReturnType<typeof run> | undefined
  const stop = async (): Promise<void> => {
    const running = server
    server = undefined
    if (running === undefined || running.exitCode !== null) return
    const exited = once(running, 'exit')
    running.kill('SIGKILL')
    await exited
    await rm(socket, { force: true })
  }
  const start = async (): Promise<void> => {
    server = run(folder, socket)
    for await (const chunk of server.stdout) {
      if (/ready to accept connections/i.test(String(chunk))) break
    }
    if (!existsSync(socket)) throw new Error('redis-server did not start')
  }
  await start()
  return {
    url: socket,
    start,
    stop,
    close: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function run(folder: string, socket: string) {
  const options = ['--port', '0', '--unixsocket', socket, '--save', '', '--dir', folder]
  return spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'ignore'] })
}
