// Clients' connections are fewer than the files that the process may have open: without one for the upstream no call is answered, and
// without one for the database none is charged.
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Logger } from '../contract/services.ts'

/** Databases, Redis, log, plugins' files, and connections at rest. */
const RESERVED = 128
const LEAST = 16
/** With that many nothing is said at the start: a machine of usual limits has nothing to mend. */
const ENOUGH = 4_000
const TELL_EVERY_MS = 60_000

/** At most so many connections that each call has one more for its upstream. */
export function connectionsThatFit(openFiles: number): number {
  return Math.max(LEAST, Math.floor((openFiles - RESERVED) / 2))
}

/** A connection beyond the limit is closed unread, where a call beyond OPEN_CALLS_MAX is answered 503: it is said at the start which comes first. */
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
  let toldAt = -Infinity
  server.on('drop', () => {
    if (performance.now() - toldAt < TELL_EVERY_MS) return
    toldAt = performance.now()
    log.warn({ openFiles, connections }, 'too many connections for the limit of open files')
  })
}

/** Of this process; undefined where the system has no /proc, as macOS. Node has raised it as far as it may be raised. */
function openFilesLimit(): number | undefined {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1]
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}
