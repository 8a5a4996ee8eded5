import { logType } from '../contract/constants.ts'
import type { LogService } from '../contract/services.ts'

type Row = Parameters<LogService['write']>[0]

export const errorRowsPerMinute = 60
const windowMs = 60_000

interface Written {
  username: string | undefined
  rows: number
  /** How many rows were left out. */
  more: number
}

/** Caps the error rows of the log: a client that retries without pause against a broken upstream must not fill the
 *  table. Each user gets so many rows a minute on this node; one more row at the end of the minute says how many were
 *  left out. */
export class CappedLogs implements LogService {
  readonly #logs: LogService
  readonly #users = new Map<number, Written>()
  #timer: NodeJS.Timeout | undefined

  constructor(logs: LogService) {
    this.#logs = logs
  }

  write(row: Row): void {
    if (row.type === logType.error && !this.#mayWrite(row)) return
    this.#logs.write(row)
  }

  writeIn(...row: Parameters<LogService['writeIn']>): Promise<void> {
    return this.#logs.writeIn(...row)
  }

  /** Ends the current minute. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const [userId, { username, more }] of this.#users) {
      if (more > 0) this.#logs.write(summaryOf(userId, username, more))
    }
    this.#users.clear()
  }

  #mayWrite({ user_id: userId, username }: Row): boolean {
    this.#timer ??= setTimeout(() => this.flush(), windowMs).unref()
    const written = this.#users.get(userId) ?? { username, rows: 0, more: 0 }
    this.#users.set(userId, written)
    if (written.rows >= errorRowsPerMinute) {
      written.more += 1
      return false
    }
    written.rows += 1
    return true
  }
}

function summaryOf(userId: number, username: string | undefined, count: number): Row {
  return {
    user_id: userId,
    ...(username === undefined ? {} : { username }),
    type: logType.error,
    content: `${count} further errors within a minute have no row of their own`,
    other: JSON.stringify({ op: 'errors_counted', count }),
  }
}
