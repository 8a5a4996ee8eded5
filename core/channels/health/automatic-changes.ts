// Channels and keys that the gateway itself switches off or on. Changes that come at the same time are written together.
import { type AutomaticStatus, channelStatus } from '../../contract/constants.ts'
import type { EventBus } from '../../contract/events.ts'
import { type AutomaticChange, automaticChanges } from './automatic-status.ts'
import { GatheredWork } from './gathered-work.ts'
import {
  type KeyChange,
  type KeyOutcome,
  type MarkDeps,
  markDeadKeys,
} from '../keys/mark-dead-keys.ts'

interface AutomaticDeps extends MarkDeps {
  events: EventBus
  nowSeconds(): number
  /** Keys and other secrets of a channel: none of them may appear in a reason. */
  secretsOf(id: number): readonly string[]
  /** Called after changes were committed. */
  changed(ids: readonly number[]): Promise<void>
}

export class AutomaticChanges {
  readonly #deps: AutomaticDeps
  readonly #statuses = new GatheredWork((changes: readonly AutomaticChange[]) =>
    this.#writeStatuses(changes),
  )
  readonly #keys = new GatheredWork((changes: readonly KeyChange[]) => this.#markKeys(changes))

  constructor(deps: AutomaticDeps) {
    this.#deps = deps
  }

  async setStatus(id: number, status: AutomaticStatus, reason: string): Promise<void> {
    const { secretsOf, nowSeconds } = this.#deps
    await this.#statuses.do({
      id,
      status,
      reason,
      secrets: secretsOf(id),
      nowSeconds: nowSeconds(),
    })
  }

  disableKey(id: number, key: string, reason: string): Promise<KeyOutcome> {
    return this.#keys.do({ id, key, reason, nowSeconds: this.#deps.nowSeconds() })
  }

  async #writeStatuses(changes: readonly AutomaticChange[]): Promise<void[]> {
    const outcomes = await automaticChanges(this.#deps.database, changes)
    const changed = changes.filter((_change, place) => outcomes[place] !== undefined)
    if (changed.length > 0) await this.#deps.changed(changed.map(({ id }) => id))
    return changes.map(({ id, status }, place) => {
      const outcome = outcomes[place]
      if (outcome === undefined) return
      const isDisabled = status === channelStatus.disabledAutomatically
      const name = isDisabled ? 'channel.disabled' : 'channel.enabled'
      this.#deps.events.emit(name, { channelId: id, ...outcome })
    })
  }

  async #markKeys(changes: readonly KeyChange[]): Promise<KeyOutcome[]> {
    const { outcomes, disabled } = await markDeadKeys(this.#deps, changes)
    const marked = changes.filter((_change, place) => outcomes[place] === 'marked')
    if (marked.length > 0) await this.#deps.changed([...new Set(marked.map(({ id }) => id))])
    for (const key of disabled) this.#deps.events.emit('channel.key_disabled', key)
    return outcomes
  }
}
