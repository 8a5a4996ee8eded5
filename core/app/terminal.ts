import { DatabaseError } from 'pg'
import { AppError } from '../contract/errors.ts'
import { isServerFull } from '../data/connection-room.ts'

/** Tells a person at a terminal which address to open. A log file gets only the structured line. */
export function greet(address: string, output: NodeJS.WriteStream = process.stdout): void {
  if (!output.isTTY) return
  const shown = address.replace('//127.0.0.1:', '//localhost:')
  output.write(`\n  Tollgate is running at ${shown}\n  Ctrl-C ends it.\n\n`)
}

const lookEveryMs = 500
const deepestCause = 5

/**
 * `npm start` puts itself and a shell before this process and tells a signal to the shell alone: when that is gone, so is
 * whoever would stop this process.
 */
export function endWithParent(stop: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, lookEveryMs)
  timer.unref()
}

/** For the operator: details that a client may not know, such as a full disk, are in the cause. If PostgreSQL refuses something at the start
 *  (creating tables, connections, a table of another program), the message points to DATABASE_URL. */
export function reasonOf(error: unknown): string {
  const hint = isServerFull(error)
    ? '; a process takes five connections at least, and fifteen at the most'
    : ''
  return saidOf(error) + hint
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
