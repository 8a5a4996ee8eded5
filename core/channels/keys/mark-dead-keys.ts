import type { Adapter } from '../../contract/adapter.ts'
import type { DisabledKey } from '../../contract/events.ts'
import type { DatabaseService, SecretService } from '../../contract/services.ts'
import { redactorOf } from '../../secrets/redact.ts'
import { channelStatus } from '../../contract/constants.ts'
import { lockChannels, updateChannels } from '../channel-store.ts'
import { deadKeysOf, isMultiKey, keysOf } from './multi-key.ts'
import { parseSetting } from '../routing/routed-channel.ts'

const maxReasonLength = 200

export interface KeyChange {
  id: number
  key: string
  reason: string
  nowSeconds: number
}

/** `last`: no other key is alive, and nothing was marked. `unknown`: the channel no longer has such a key. */
export type KeyOutcome = 'marked' | 'last' | 'unknown'

export interface MarkDeps {
  database: DatabaseService
  secrets: SecretService
  adapterOf: (type: number) => Adapter | undefined
}

interface Marked {
  /** For each change. */
  outcomes: KeyOutcome[]
  /** The keys that were alive until now. */
  disabled: DisabledKey[]
}

/** Marks keys of enabled channels as dead. */
export async function markDeadKeys(deps: MarkDeps, changes: readonly KeyChange[]): Promise<Marked> {
  const outcomes = new Map<KeyChange, KeyOutcome>()
  const disabled: DisabledKey[] = []
  for (const id of new Set(changes.map((change) => change.id))) {
    const ofChannel = changes.filter((change) => change.id === id)
    const marked = await markKeys(deps, id, ofChannel)
    disabled.push(...marked.disabled)
    for (const [place, change] of ofChannel.entries())
      outcomes.set(change, marked.outcomes[place] ?? 'unknown')
  }
  return { outcomes: changes.map((change) => outcomes.get(change) ?? 'unknown'), disabled }
}

/** Marks all keys of one channel in one step, so that its keys are decrypted and its list of dead keys written only once. */
async function markKeys(
  { database, secrets, adapterOf }: MarkDeps,
  id: number,
  changes: readonly KeyChange[],
): Promise<Marked> {
  return database.transaction(async (transaction) => {
    const wanted = { id, status: channelStatus.enabled }
    const [row] = await lockChannels(database, wanted, transaction)
    const setting = parseSetting(row?.setting ?? '')
    if (row === undefined || !isMultiKey(setting))
      return { outcomes: changes.map(() => 'unknown'), disabled: [] }
    const keys = keysOf(secrets.decrypt(row.key), setting, adapterOf(row.type))
    const places = new Map(keys.map((key, index) => [key, index + 1]))
    const dead = new Map(deadKeysOf(row.other_info).map((entry) => [entry.position, entry]))
    const redactor = redactorOf(keys)
    const disabled: DisabledKey[] = []
    const outcomes = changes.map(({ key, reason, nowSeconds }): KeyOutcome => {
      const position = places.get(key)
      if (position === undefined) return 'unknown'
      if (dead.size + (dead.has(position) ? 0 : 1) >= keys.length) return 'last'
      const shown = redactor.text(reason).slice(0, maxReasonLength)
      const left = keys.length - dead.size - 1
      if (!dead.has(position))
        disabled.push({ channelId: id, name: row.name, position, left, reason: shown })
      dead.set(position, { position, reason: shown, time: nowSeconds })
      return 'marked'
    })
    if (outcomes.includes('marked')) {
      const otherInfo = JSON.stringify({ keys: keys.length, dead_keys: [...dead.values()] })
      await updateChannels(database, [row.id], { other_info: otherInfo }, transaction)
    }
    return { outcomes, disabled }
  })
}
