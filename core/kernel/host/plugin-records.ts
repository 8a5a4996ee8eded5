// What the table says about plugins: which are on, in which version, what was confirmed, and how often they failed.
import type { PluginSource } from '../../contract/plugin-row.ts'
import type { Logger } from '../../contract/services.ts'
import type { AskList } from '../manifest/asks.ts'
import type { Found } from '../discover.ts'
import { type Blame, readBlame, writeBlame } from '../plugin-fault.ts'

/** Failures after which a plugin is parked. */
const MOST_FAILURES = 2

export interface StoredPlugin {
  id: string
  enabled: boolean
  source: PluginSource
  /** The version that the gateway has installed; empty means the newest. */
  version: string
  /** What somebody has confirmed that the plugin may use, as JSON. */
  confirmed: string
  /** Failed loads since somebody has switched it, or since it last loaded. */
  failures: number
  /** The cause of the last failure; see plugin-fault.ts. */
  cause: string
}

type Switched = Pick<StoredPlugin, 'id' | 'enabled' | 'source' | 'version' | 'confirmed'>

/** The table `plugins`. */
export interface PluginTable {
  read(): Promise<StoredPlugin[]>
  /** Switches a plugin, and resets its failures. */
  write(row: Switched): Promise<void>
  /** Counts one more failure. The other fields are for a new row. */
  fail(row: Switched & { cause: string }): Promise<void>
  /** Resets the failures. */
  forgive(id: string): Promise<void>
  remove(id: string): Promise<void>
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

  /** Undefined if it was never switched. */
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

  /** Empty if the table names none. */
  versionOf(id: string): string {
    return this.#rows.get(id)?.version ?? ''
  }

  /** Of all plugins that have one. */
  versions(): [id: string, version: string][] {
    return [...this.#rows.values()]
      .filter(({ version }) => version !== '')
      .map(({ id, version }) => [id, version])
  }

  confirmedOf(id: string): AskList {
    const stored = this.#rows.get(id)?.confirmed ?? ''
    return stored === '' ? [] : (JSON.parse(stored) as string[])
  }

  /** @param asks what somebody has confirmed now; without it, the earlier confirmation stays */
  async write(found: Found, enabled: boolean, asks?: AskList): Promise<void> {
    const { id, source, version = '' } = found
    const confirmed = asks ? JSON.stringify(asks) : (this.#rows.get(id)?.confirmed ?? '')
    const row = { id, enabled, source, version, confirmed }
    await this.#table.write(row)
    this.#rows.set(id, { ...row, failures: 0, cause: '' })
  }

  /** Does not throw if this cannot be stored. */
  async fail(found: Found, blame: Blame, enabled: boolean): Promise<void> {
    const { id, source, version = '' } = found
    const cause = writeBlame(blame)
    const known = this.#rows.get(id) ?? { id, enabled, source, version, confirmed: '', failures: 0 }
    this.#rows.set(id, { ...known, failures: known.failures + 1, cause })
    await this.#stored(id, this.#table.fail({ ...known, cause }))
  }

  async forgive(id: string): Promise<void> {
    const known = this.#rows.get(id)
    if (!known || known.failures === 0) return
    this.#rows.set(id, { ...known, failures: 0, cause: '' })
    await this.#stored(id, this.#table.forgive(id))
  }

  async remove(id: string): Promise<void> {
    await this.#table.remove(id)
    this.#rows.delete(id)
  }

  async #stored(plugin: string, work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) =>
      this.#log.error({ err: error, plugin }, 'what became of a plugin could not be stored'),
    )
  }
}
