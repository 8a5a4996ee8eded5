// What the table says of plugins: who is on, and who failed how often.
import type { Logger } from '../contract/services.ts'
import type { PluginSource } from '../contract/plugin-row.ts'
import type { Found } from './discover.ts'
import { type Blame, readBlame, writeBlame } from './plugin-fault.ts'

/** Failures after which a plugin is parked. */
const MOST_FAILURES = 2

export interface StoredPlugin {
  id: string
  enabled: boolean
  /** Loads that failed since it was last switched by somebody or loaded well. */
  failures: number
  /** Of the last failure; see plugin-fault.ts. */
  cause: string
}

/** The table `plugins`. */
export interface PluginTable {
  read(): Promise<StoredPlugin[]>
  /** Switches, and forgets what failed before. */
  write(row: { id: string; enabled: boolean; source: PluginSource }): Promise<void>
  /** Counts one more failure. `enabled` is that of a new row. */
  fail(row: { id: string; enabled: boolean; source: PluginSource; cause: string }): Promise<void>
  /** Forgets what failed. */
  forgive(id: string): Promise<void>
}

export class PluginRecords {
  readonly #table: PluginTable
  readonly #log: Logger
  #rows = new Map<string, StoredPlugin>()

  constructor(table: PluginTable, log: Logger) {
    this.#table = table
    this.#log = log
  }

  async read(): Promise<void> {
    const rows = await this.#table.read()
    this.#rows = new Map(rows.map((row) => [row.id, row]))
  }

  /** Undefined for one that was never switched. */
  isEnabled(id: string): boolean | undefined {
    return this.#rows.get(id)?.enabled
  }

  hasFailed(id: string): boolean {
    return (this.#rows.get(id)?.failures ?? 0) > 0
  }

  isParked(id: string): boolean {
    return (this.#rows.get(id)?.failures ?? 0) >= MOST_FAILURES
  }

  causeOf(id: string): Blame | undefined {
    return readBlame(this.#rows.get(id)?.cause ?? '')
  }

  async write({ id, source }: Found, enabled: boolean): Promise<void> {
    await this.#table.write({ id, enabled, source })
    this.#rows.set(id, { id, enabled, failures: 0, cause: '' })
  }

  /** The gateway goes on when this cannot be stored. */
  async fail({ id, source }: Found, blame: Blame, enabled: boolean): Promise<void> {
    const known = this.#rows.get(id)
    const cause = writeBlame(blame)
    const failures = (known?.failures ?? 0) + 1
    this.#rows.set(id, { id, enabled: known?.enabled ?? enabled, failures, cause })
    await this.#stored(id, this.#table.fail({ id, enabled, source, cause }))
  }

  async forgive(id: string): Promise<void> {
    const known = this.#rows.get(id)
    if (!known || known.failures === 0) return
    this.#rows.set(id, { ...known, failures: 0, cause: '' })
    await this.#stored(id, this.#table.forgive(id))
  }

  async #stored(plugin: string, work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) =>
      this.#log.error({ err: error, plugin }, 'what became of a plugin could not be stored'),
    )
  }
}
