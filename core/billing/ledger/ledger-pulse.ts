import type { Logger } from '../../contract/services.ts'
import type { AppError } from '../../contract/errors.ts'
import { databaseAway, databaseSlow, isAway, retryHeader } from '../../data/database-errors.ts'

/** Longer than any successful commit takes, in milliseconds. */
const longestWaitMs = 5_000
const probeEveryMs = 500

/** Whether the ledger can commit. No call is let in while a batch waits for the database, or after a failed write until
 *  a probe succeeds, because its charge could not be written. */
export class LedgerPulse {
  readonly #probe: () => Promise<void>
  readonly #log: Logger
  readonly #waitedMs: () => number | undefined
  #failing = new Set<'batch' | 'lease'>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: {
    /** The smallest possible write; resolves when it is committed. */
    probe: () => Promise<void>
    /** For how long the write under way has been waited for (WriteWait); undefined when there is none. */
    waitedMs: () => number | undefined
    log: Logger
  }) {
    this.#probe = options.probe
    this.#waitedMs = options.waitedMs
    this.#log = options.log
  }

  get isAlive(): boolean {
    return this.#failing.size === 0 && !this.#isSlow
  }

  /** Why no call is let in; undefined while calls are let in. */
  get refusal(): AppError | undefined {
    if (this.#failing.size > 0) return databaseAway({}, { headers: retryHeader })
    return this.#isSlow ? databaseSlow({}, { headers: retryHeader }) : undefined
  }

  get #isSlow(): boolean {
    return (this.#waitedMs() ?? 0) >= longestWaitMs
  }

  /** The queue repeats the batch by itself, which serves as the probe. */
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
