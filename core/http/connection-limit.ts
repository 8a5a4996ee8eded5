// Keeps the number of client connections below the number of files that the process may open: without a free one, calls
// cannot reach their upstream, and charges cannot reach the database.
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Logger } from '../contract/services.ts'
import { atMostEvery } from '../kernel/at-most-every.ts'

/** For databases, Redis, the log, files of plugins, and idle connections. */
const RESERVED = 128
const LEAST = 16
/** From this number on, nothing is logged at the start: usual limits are high enough. */
const ENOUGH = 4_000
const LOG_EVERY_MS = 60_000

/** How many connections leave one more for the upstream of each call. */
export function connectionsThatFit(openFiles: number): number {
  return Math.max(LEAST, Math.floor((openFiles - RESERVED) / 2))
}

/** Connections beyond the limit are closed unread, while calls beyond OPEN_CALLS_MAX get a 503. A log line at the start
 *  says which limit is reached first. */
export function limitConnections(server: Server, openCalls: number, log: Logger): void {
  const openFiles = openFilesLimit()
  if (openFiles === undefined) return
  const connections = connectionsThatFit(openFiles)
  server.maxConnections = connections
  if (connections < Math.min(openCalls, ENOUGH))
    log.warn(
      { openFiles, connections, openCalls },
      'the limit of open files (ulimit -n) lets in fewer connections than there may be open calls; raise it',
    )
  const isDue = atMostEvery(LOG_EVERY_MS)
  server.on('drop', () => {
    if (isDue())
      log.warn({ openFiles, connections }, 'too many connections for the limit of open files')
  })
}

/** The limit of this process; undefined on systems without /proc, such as macOS. Node has already raised it as far as allowed. */
function openFilesLimit(): number | undefined {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1]
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}
