import type { Logger } from '../contract/services.ts'

const TELL_EVERY_MS = 10_000

interface Due {
  /** How many steps. */
  count: number
  /** False for an empty database, where no step takes long. */
  isUpgrade: boolean
}

/** Tells the log what an upgrade of the schema does: nothing else answers meanwhile, and on a large log it takes minutes. */
export class MigrationProgress {
  readonly #log: Logger
  readonly #due: Due
  readonly #timer: NodeJS.Timeout
  #step: { step: string; number: number; of: number } | undefined
  #sinceMs = performance.now()

  constructor(log: Logger, due: Due, tellEveryMs = TELL_EVERY_MS) {
    this.#log = log
    this.#due = due
    this.#timer = setInterval(() => this.#tell(), tellEveryMs).unref()
  }

  begin(step: string): void {
    this.#step = { step, number: (this.#step?.number ?? 0) + 1, of: this.#due.count }
    this.#sinceMs = performance.now()
    if (this.#due.isUpgrade) this.#log.info(this.#step, 'a step of the schema begins')
  }

  end(): void {
    clearInterval(this.#timer)
  }

  #tell(): void {
    const seconds = Math.round((performance.now() - this.#sinceMs) / 1000)
    const text = this.#step
      ? 'a step of the schema goes on'
      : 'waiting for another process that updates the schema'
    this.#log.info({ ...this.#step, seconds }, text)
  }
}
