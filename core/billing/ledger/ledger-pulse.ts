import type { Logger } from '../../contract/services.ts'
import type { AppError } from '../../contract/errors.ts'
import { databaseAway, databaseSlow, isAway, retryHeader } from '../../data/database-errors.ts'

/** Longer than any commit takes that comes to its end, in milliseconds. */
const longestWaitMs = 5_000
const probeEveryMs = 500

/**
 * Whether the ledger can commit. What it can't commit must not be begun: while a batch waits for the database, or a write
 * failed and no probe has succeeded since, no call is let in.
 */
export class LedgerPulse {
  readonly #probe: () => Promise<void>
  readonly #log: Logger
  readonly #oldestWriteMs: () => number | undefined
  #failing = new Set<'batch' | 'lease'>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: {
    /** A write as small as any; resolves when it is committed. */
    probe: () => Promise<void>
    /** When the write under way began (performance.now); undefined when there is none. */
    oldestWriteMs: () => number | undefined
    log: Logger
  }) {
    this.#probe = options.probe
    this.#oldestWriteMs = options.oldestWriteMs
    this.#log = options.log
  }

  get isAlive(): boolean {
    return this.#failing.size === 0 && !this.#isSlow
  }

  /** Why no call is let in; undefined while they are. */
  get refusal(): AppError | undefined {
    if (this.#failing.size > 0) return databaseAway({}, { headers: retryHeader })
    return this.#isSlow ? databaseSlow({}, { headers: retryHeader }) : undefined
  }

  /** The database may well have answered a process that gets too little of its machine to hear of it. */
  get #isSlow(): boolean {
    const beganMs = this.#oldestWriteMs()
    return beganMs !== undefined && performance.now() - beganMs >= longestWaitMs
  }

  /** The queue repeats a batch by itself: that is its probe. */
  batchFailed(error: unknown): void {
    this.#fail('batch', error)
  }

  batchWritten(): void {
    this.#recover('batch')
  }

  leaseFailed(error: unknown): void {
    if (!isAway(error) || this.#failing.has('lease')) return
    this.#fail('lease', error)
    this.#scheduleProbe()
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #scheduleProbe(): void {
    this.#timer = setTimeout(() => {
      this.#probe().then(
        () => this.#recover('lease'),
        () => this.#scheduleProbe(),
      )
    }, probeEveryMs).unref()
  }

  #fail(part: 'batch' | 'lease', error: unknown): void {
    if (this.#failing.size === 0) {
      this.#log.error({ err: error }, 'the ledger cannot commit: calls are refused until it can')
    }
    this.#failing.add(part)
  }

  #recover(part: 'batch' | 'lease'): void {
    if (!this.#failing.delete(part) || this.#failing.size > 0) return
    this.#log.info({}, 'the ledger commits again')
  }
}
