// What the gateway needs of its machine: memory, a folder, a port, the console's files.
import { once } from 'node:events'
import { existsSync, statfsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import type { GatewaySettings } from '../../app/gateway-settings.ts'
import { LEAST_BYTES } from '../../app/little-memory.ts'
import { root } from '../../app/root.ts'
import { reasonOf } from '../../app/terminal.ts'
import { requireLocks } from '../../data/sqlite/file-lock.ts'
import { checkWritable, makeFolder } from '../../data/make-folder.ts'
import { fault, type Finding, ok, warning } from './finding.ts'

const MIB = 1_048_576
const LITTLE_DISK_BYTES = 1_024 * MIB
const NO_DISK_BYTES = 64 * MIB
const PROBE_TIMEOUT_MS = 2_000

export function checkMemory({ memoryBytes, workers }: GatewaySettings): Finding {
  const [has, needs] = [memoryBytes, LEAST_BYTES].map((bytes) => Math.floor(bytes / MIB))
  const text = `${has} MiB for each process, ${workers} of them`
  if (memoryBytes >= LEAST_BYTES) return ok('memory', text)
  return warning('memory', `${text}: under load the system may kill one; give it ${needs} MiB`)
}

export function checkFolder({ dataDir, databaseUrl }: GatewaySettings): Finding {
  const path = resolve(dataDir)
  try {
    makeFolder(path, 0o700)
    checkWritable(path)
  } catch (error) {
    return fault('data folder', `DATA_DIR ${path} cannot be written: ${reasonOf(error)}`)
  }
  try {
    if (databaseUrl === '') requireLocks(join(path, 'tollgate.lock'))
  } catch (error) {
    return fault('data folder', `DATA_DIR ${path} cannot be used: ${reasonOf(error)}`)
  }
  const { bavail, bsize } = statfsSync(path)
  const free = bavail * bsize
  const text = `DATA_DIR ${path}, ${Math.floor(free / MIB)} MiB free`
  if (free < NO_DISK_BYTES) return fault('data folder', `${text}: make room`)
  return free < LITTLE_DISK_BYTES
    ? warning('data folder', `${text}: make room soon, calls are refused while it is full`)
    : ok('data folder', text)
}

export function checkConsole(): Finding {
  return existsSync(join(root, 'console', 'dist', 'index.html'))
    ? ok('console', 'built')
    : warning('console', 'not built yet: "npm start" builds it, "npm run build" as well')
}

/** Free, or taken by a gateway that answers. */
export async function checkPort({ host, port }: GatewaySettings): Promise<Finding> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return ok('port', `${port} on ${host} is free`)
  } catch (error) {
    const isTaken = (error as { code?: string }).code === 'EADDRINUSE'
    if (!isTaken) return fault('port', `PORT ${port}, HOST ${host}: ${reasonOf(error)}`)
    return (await answersAsGateway(host, port))
      ? ok('port', `a gateway is serving on ${port}`)
      : fault('port', `PORT ${port} is taken by another program: choose another one`)
  } finally {
    server.close()
  }
}

async function answersAsGateway(host: string, port: number): Promise<boolean> {
  const isAny = host === '0.0.0.0' || host === '::'
  const name = isAny ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  try {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS)
    const response = await fetch(`http://${name}:${port}/api/status`, { signal })
    const body = (await response.json()) as { success?: unknown }
    return body.success === true
  } catch {
    return false
  }
}
