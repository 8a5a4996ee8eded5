import { isLocked } from './foreign-lock.ts'

/** `call`: writes that calls wait for; `work`: all others. */
export type WriteLane = 'call' | 'work'

interface Waiter {
  resolve: () => void
  reject: (error: Error) => void
}

/** In milliseconds, how long another program's lock is waited for. */
const longestLockMs = 10_000

/** SQLite has one writer. Waiting for its file lock would occupy the driver's few threads, which the holder needs too. So
 *  every write of this process first waits here for its turn. A lane is served in the order of arrival, and the lanes
 *  alternate: while two thousand channels are disabled one by one, a settlement waits for only one of these writes. */
export class WriteGate {
  #isTaken = false
  #last: WriteLane = 'work'
  readonly #waiting: Readonly<Record<WriteLane, Waiter[]>> = { call: [], work: [] }
  readonly lockMs: number

  /** @param lockMs how long another program's lock is waited for; tests wait less */
  constructor(lockMs = longestLockMs) {
    this.lockMs = lockMs
  }

  get isAwaited(): boolean {
    return this.#waiting.call.length > 0 || this.#waiting.work.length > 0
  }

  /** Resolves when it is the caller's turn; the caller must call `free` once.
   *  @throws SQLITE_BUSY if another program keeps the file locked */
  take(lane: WriteLane = 'work'): Promise<void> {
    if (this.#isTaken)
      return new Promise((resolve, reject) => this.#waiting[lane].push({ resolve, reject }))
    this.#isTaken = true
    this.#last = lane
    return Promise.resolve()
  }

  /** @param fault why the write has failed: where the file is locked, nobody waits for a turn to find that out */
  free(fault?: unknown): void {
    if (isLocked(fault)) this.#turnAway(fault)
    const next = this.#last === 'call' ? this.#next('work', 'call') : this.#next('call', 'work')
    if (next === undefined) this.#isTaken = false
    else next.resolve()
  }

  #turnAway(fault: Error): void {
    const { call, work } = this.#waiting
    for (const { reject } of [...call.splice(0), ...work.splice(0)]) reject(fault)
  }

  #next(first: WriteLane, second: WriteLane): Waiter | undefined {
    const lane = this.#waiting[first].length > 0 ? first : second
    this.#last = lane
    return this.#waiting[lane].shift()
  }
}

const gates = new Map<string, { gate: WriteGate; users: number }>()

/** The gate of a file, shared by everybody who has it open in this process. Call `leave` once at the end. */
export function gateOf(file: string, lockMs?: number): { gate: WriteGate; leave: () => void } {
  const entry = gates.get(file) ?? { gate: new WriteGate(lockMs), users: 0 }
  entry.users += 1
  gates.set(file, entry)
  const leave = () => {
    entry.users -= 1
    if (entry.users === 0) gates.delete(file)
  }
  return { gate: entry.gate, leave }
}
