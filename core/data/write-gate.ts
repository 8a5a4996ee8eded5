import { AsyncLocalStorage } from 'node:async_hooks'
import { withoutAdmission } from './admission.ts'

/** `call`: what calls wait for; `work`: all else. */
export type WriteLane = 'call' | 'work'

/**
 * SQLite has one writer. Waiting for its file lock happens inside the driver's few threads, where waiters starve the
 * holder; so every write of this process first takes its turn here: in order of arrival, and in turn where both lanes wait. Two thousand channels
 * that are disabled one by one hold up a settlement for as long as one of them takes.
 */
export class WriteGate {
  #isTaken = false
  #last: WriteLane = 'work'
  readonly #waiting: Readonly<Record<WriteLane, (() => void)[]>> = { call: [], work: [] }

  get isAwaited(): boolean {
    return this.#waiting.call.length > 0 || this.#waiting.work.length > 0
  }

  /** Resolves when it is the caller's turn; the caller must call `free` once. */
  take(lane: WriteLane = 'work'): Promise<void> {
    if (this.#isTaken) return new Promise((resolve) => this.#waiting[lane].push(resolve))
    this.#isTaken = true
    this.#last = lane
    return Promise.resolve()
  }

  free(): void {
    const next = this.#last === 'call' ? this.#next('work', 'call') : this.#next('call', 'work')
    if (next === undefined) this.#isTaken = false
    else next()
  }

  #next(first: WriteLane, second: WriteLane): (() => void) | undefined {
    const lane = this.#waiting[first].length > 0 ? first : second
    this.#last = lane
    return this.#waiting[lane].shift()
  }
}

const gates = new Map<string, { gate: WriteGate; users: number }>()

/** The gate of a file, the same for all who have it open in this process. `leave` once when done. */
export function gateOf(file: string): { gate: WriteGate; leave: () => void } {
  const entry = gates.get(file) ?? { gate: new WriteGate(), users: 0 }
  entry.users += 1
  gates.set(file, entry)
  const leave = () => {
    entry.users -= 1
    if (entry.users === 0) gates.delete(file)
  }
  return { gate: entry.gate, leave }
}

interface OpenTransaction {
  isOpen: boolean
}

const openTransactions = new AsyncLocalStorage<OpenTransaction>()

/** Runs `work` marked as the inside of a transaction, so that a statement which forgot to pass it is found. */
export async function insideTransaction<T>(work: () => Promise<T>): Promise<T> {
  const mark = { isOpen: true }
  try {
    return await openTransactions.run(mark, work)
  } finally {
    mark.isOpen = false
  }
}

/** Leaves the mark behind, and who is let in with it: for work that a transaction's flow starts and does not wait for. */
export function outsideTransaction<T>(work: () => T): T {
  return openTransactions.exit(() => withoutAdmission(work))
}

/**
 * A write beside the transaction it was awaited in would wait for that transaction's end, which waits for the write.
 * @throws at once instead of hanging
 */
export function refuseInsideTransaction(sql: string): void {
  if (openTransactions.getStore()?.isOpen !== true) return
  throw new Error(
    `A statement inside a transaction was not given the transaction: ${sql.trim().slice(0, 80)}`,
  )
}
