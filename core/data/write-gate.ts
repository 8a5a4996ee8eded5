import { AsyncLocalStorage } from 'node:async_hooks'
import { withoutAdmission } from './admission.ts'

/** `call`: writes that calls wait for; `work`: all others. */
export type WriteLane = 'call' | 'work'

/** SQLite has one writer. Waiting for its file lock would occupy the driver's few threads, which the holder needs too. So
 *  every write of this process first waits here for its turn. A lane is served in the order of arrival, and the lanes
 *  alternate: while two thousand channels are disabled one by one, a settlement waits for only one of these writes. */
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

/** The gate of a file, shared by everybody who has it open in this process. Call `leave` once at the end. */
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

/** Marks `work` as the inside of a transaction, so that a write which does not name the transaction is found. */
export async function insideTransaction<T>(work: () => Promise<T>): Promise<T> {
  const mark = { isOpen: true }
  try {
    return await openTransactions.run(mark, work)
  } finally {
    mark.isOpen = false
  }
}

/** Runs `work` without that mark and without the caller's admission: for work that is started inside a transaction but
 *  not awaited there. */
export function outsideTransaction<T>(work: () => T): T {
  return openTransactions.exit(() => withoutAdmission(work))
}

/** A write that does not name the transaction inside which it is awaited would wait for the end of the transaction, which
 *  waits for the write.
 *  @throws Error, in place of hanging */
export function refuseInsideTransaction(sql: string): void {
  if (openTransactions.getStore()?.isOpen !== true) return
  throw new Error(
    `A statement inside a transaction was not given the transaction: ${sql.trim().slice(0, 80)}`,
  )
}
