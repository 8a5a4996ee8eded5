import { DatabaseError } from 'pg'
import { AppError } from '../contract/errors.ts'
import { isServerFull } from '../data/postgres/connection-room.ts'
import { isReadOnly } from '../data/postgres/read-only-server.ts'

/** Shows the address to a person at a terminal. A log file gets only the structured line. */
export function greet(address: string, output: NodeJS.WriteStream = process.stdout): void {
  if (!output.isTTY) return
  const shown = address.replace('//127.0.0.1:', '//localhost:')
  output.write(`\n  Tollgate is running at ${shown}\n  Ctrl-C ends it.\n\n`)
}

const lookEveryMs = 500
const deepestCause = 5

/** `npm start` runs this process below npm and a shell, and a signal reaches only the shell. When the parent has ended,
 *  nobody is left to stop this process, so it stops by itself. */
export function endWithParent(stop: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, lookEveryMs)
  timer.unref()
}

/** The reason of a failed start, for the operator: details that clients must not see, such as a full disk, are in the
 *  cause. If PostgreSQL refuses something (tables, connections, a table of another program), the message points to
 *  DATABASE_URL. */
export function reasonOf(error: unknown): string {
  return saidOf(error) + hintOf(error)
}

function hintOf(error: unknown): string {
  if (isServerFull(error))
    return '; a process takes five connections at least, and fifteen at the most'
  return isReadOnly(error) ? '; it only reads, as a replica does: name the one that writes' : ''
}

function saidOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const said = saidByPostgres(error)
  if (said !== undefined && !error.message.includes('DATABASE_URL'))
    return `the PostgreSQL that DATABASE_URL names refuses: ${said}`
  if (!(error instanceof AppError) || !(error.cause instanceof Error)) return error.message
  return `${error.message} (${error.cause.message})`
}

function saidByPostgres(error: Error): string | undefined {
  let current: unknown = error
  for (let depth = 0; depth < deepestCause && current instanceof Error; depth += 1) {
    if (current instanceof DatabaseError) return current.message
    current = current.cause ?? Reflect.get(current, 'parent')
  }
  return undefined
}
