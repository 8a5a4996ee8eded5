// What somebody must confirm before an external plugin is switched on.
import type { PluginAsks } from '../../contract/plugin-row.ts'
import { type AskList, asksOf, hashOf, moreThan } from '../manifest/asks.ts'
import { type Found, isExternal } from '../discover.ts'
import { loadInTime } from '../generations.ts'
import type { PluginRecords } from './plugin-records.ts'
import { pluginConfirm } from './plugin-refusals.ts'

export class Consents {
  readonly #records: PluginRecords
  readonly #loadTimeoutMs: number

  constructor(records: PluginRecords, loadTimeoutMs: number) {
    this.#records = records
    this.#loadTimeoutMs = loadTimeoutMs
  }

  /** @param confirm the hash that somebody has sent who has seen the list
   *  @param isAnew reads its files again
   *  @throws plugins.confirm, PluginFault */
  async check(found: Found, confirm: string | undefined, isAnew: boolean): Promise<AskList> {
    if (!isExternal(found)) return []
    const asks = await this.#asksOf(found, isAnew)
    const more = moreThan(asks, this.#records.confirmedOf(found.id))
    if (more.length > 0 && confirm !== hashOf(asks))
      throw pluginConfirm({ id: found.id, asks: asks.join(', '), hash: hashOf(asks) })
    return asks
  }

  /** @throws PluginFault */
  async describe(found: Found): Promise<PluginAsks> {
    const asks = isExternal(found) ? await this.#asksOf(found, false) : []
    const more = new Set(moreThan(asks, this.#records.confirmedOf(found.id)))
    const parts = asks.map((ask) => {
      const colon = ask.indexOf(':')
      return { kind: ask.slice(0, colon), name: ask.slice(colon + 1), is_new: more.has(ask) }
    })
    return { asks: parts, hash: hashOf(asks), is_open: more.size > 0 }
  }

  /** Of an installed version it was recorded; otherwise the plugin's code must be read. */
  async #asksOf(found: Found, isAnew: boolean): Promise<AskList> {
    if (found.facts) return found.facts.asks
    const outcome = await loadInTime(found, this.#loadTimeoutMs, isAnew)
    if ('error' in outcome) throw outcome.error
    return asksOf(outcome.manifest)
  }
}
