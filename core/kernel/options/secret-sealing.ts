import type { Logger, SecretService } from '../../contract/services.ts'
import type { OptionTable } from './option-changes.ts'
import { opens } from './sealed.ts'

interface Deps {
  table: OptionTable
  secrets: SecretService
  log: Logger
}

/** Encrypts values that were stored in clear before their option became a secret, and hides the history of secrets. */
export class SecretSealing {
  readonly #deps: Deps
  /** Secrets whose history holds no value. */
  readonly #hidden = new Set<string>()
  #running: Promise<unknown> = Promise.resolve()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Encrypts in `stored` at once and in the table in the background.
   *  @param keys the options that are secrets now */
  seal(keys: readonly string[], stored: Map<string, string>): void {
    const { table, secrets, log } = this.#deps
    const rows = keys.flatMap((key) => {
      const clear = stored.get(key) ?? ''
      if (clear === '' || opens(secrets, clear)) return []
      const value = secrets.encrypt(clear)
      stored.set(key, value)
      return [{ key, value }]
    })
    const unhidden = keys.filter((key) => !this.#hidden.has(key))
    for (const key of unhidden) this.#hidden.add(key)
    this.#running = Promise.all([
      rows.length > 0 ? table.write(rows, () => undefined) : undefined,
      unhidden.length > 0 ? table.hideHistory(unhidden) : undefined,
    ]).catch((error: unknown) => {
      for (const key of unhidden) this.#hidden.delete(key)
      log.error({ err: error }, 'a secret could not be encrypted')
    })
  }

  /** Resolves when what was begun is written or has failed. */
  async settled(): Promise<void> {
    await this.#running
  }
}
