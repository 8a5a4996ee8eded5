import type { Logger } from '../../contract/services.ts'
import type { Found } from '../discover.ts'
import { type Blame, isWaiting, sentenceOf } from '../plugin-fault.ts'
import type { PluginRecords } from './plugin-records.ts'

/** External plugins that have failed in this process: switching another plugin does not try them again. */
export class HeldPlugins {
  readonly #records: PluginRecords
  readonly #log: Logger
  readonly #held = new Map<string, Blame>()
  readonly #stumbled = new Set<string>()

  constructor(records: PluginRecords, log: Logger) {
    this.#records = records
    this.#log = log
  }

  blameOf(id: string): Blame | undefined {
    return this.#held.get(id)
  }

  /** Whether it has ever failed in this process; its files may have been repaired since. */
  hasStumbled(id: string): boolean {
    return this.#stumbled.has(id)
  }

  release(id: string): void {
    this.#held.delete(id)
  }

  /** @param isEnabled for a plugin that the table does not contain yet */
  async hold(found: Found, blame: Blame, isEnabled: boolean): Promise<void> {
    const { id } = found
    this.#held.set(id, blame)
    this.#stumbled.add(id)
    await this.#records.fail(found, blame, isEnabled)
    if (this.#records.isParked(id))
      this.#log.error({ plugin: id }, `plugin "${id}" failed twice and is parked`)
  }

  /** Records whether loading a plugin has succeeded. */
  async keep(found: Found, blame: Blame | undefined): Promise<void> {
    const { id } = found
    if (blame === undefined) {
      this.#held.delete(id)
      // That it loads does not mean that it will not crash again.
      if (this.#records.causeOf(id)?.stage !== 'crash') await this.#records.forgive(id)
    } else if (isWaiting(blame)) {
      // It waits for somebody to act, and has done nothing wrong.
      const text = `plugin "${id}" is left out: ${sentenceOf(blame, 'en')}`
      this.#log.error({ plugin: id }, text)
    } else await this.hold(found, blame, true)
  }

  /** Somebody may have unparked or switched a plugin on another node. */
  async readAnew(): Promise<void> {
    const failedBefore = [...this.#held.keys()].filter((id) => this.#records.hasFailed(id))
    await this.#records.read()
    for (const id of failedBefore) if (!this.#records.hasFailed(id)) this.#held.delete(id)
  }
}
