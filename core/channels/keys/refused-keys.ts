// What an admin does about keys of a channel that their provider refused: uses them again, or takes them out. Keys are shown
// to nobody, so they are named by their positions.
import type { RefusedKeys } from '../../contract/channel-services.ts'
import { channelStatus } from '../../contract/constants.ts'
import { objectIn } from '../../contract/json.ts'
import type { ChannelRow } from '../../data/models/channel.ts'
import { type EditDeps, lockChannel, sealedKey } from '../channel-edits.ts'
import {
  channelChanged,
  channelKeyNotRefused,
  channelKeysGone,
  channelTypeUnknown,
} from '../channel-errors.ts'
import { updateChannels } from '../channel-store.ts'
import { type DeadKey, deadKeysOf, keyList, keysOf } from './multi-key.ts'
import { parseSetting } from '../routing/routed-channel.ts'

/** @throws channel.key_not_refused if one of them is in use, channel.changed */
export async function enableKeys(
  { database }: Pick<EditDeps, 'database'>,
  id: number,
  choice: RefusedKeys,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const row = await lockChannel({ database }, id, transaction)
    const { dead } = stillRefused(row, choice)
    await updateChannels(database, [id], { other_info: infoWith(row, dead) }, transaction)
  })
}

/** @throws channel.key_not_refused, channel.changed, channel.keys_gone if no key would be left */
export async function removeKeys(deps: EditDeps, id: number, choice: RefusedKeys): Promise<void> {
  const { database, secrets, adapterOf } = deps
  await database.transaction(async (transaction) => {
    const row = await lockChannel(deps, id, transaction)
    const adapter = adapterOf(row.type)
    if (adapter === undefined) throw channelTypeUnknown({ type: row.type })
    const { chosen, dead } = stillRefused(row, choice)
    const text = secrets.decrypt(row.key)
    const keys = keysOf(text, parseSetting(row.setting), adapter)
    const left = keys.filter((_key, index) => !chosen.has(index + 1))
    if (left.length === 0) throw channelKeysGone()
    const moved = dead.map((key) => ({ ...key, position: key.position - before(chosen, key) }))
    const isList = adapter.form?.isMultilineKey && keyList(text) !== undefined
    const columns = {
      ...sealedKey(deps, isList ? JSON.stringify(left) : left.join('\n')),
      other_info: infoWith(row, moved, left.length),
    }
    await updateChannels(database, [id], columns, transaction)
  })
}

/** How many of the chosen stand before the key. */
function before(chosen: ReadonlySet<number>, { position }: DeadKey): number {
  return [...chosen].filter((other) => other < position).length
}

/** The chosen keys, and the refused ones beside them. @throws channel.key_not_refused, channel.changed */
function stillRefused({ other_info }: ChannelRow, { positions, shown }: RefusedKeys) {
  const chosen: ReadonlySet<number> = new Set(positions)
  if (shown !== undefined && factsOf(shown, chosen) !== factsOf(other_info, chosen))
    throw channelChanged({ field: 'key' }, { field: 'positions' })
  const dead = deadKeysOf(other_info)
  const known = new Set(dead.map(({ position }) => position))
  const unknown = [...chosen].find((position) => !known.has(position))
  if (unknown !== undefined)
    throw channelKeyNotRefused({ position: unknown }, { field: 'positions' })
  return { chosen, dead: dead.filter(({ position }) => !chosen.has(position)) }
}

/** What is known of the chosen keys, to tell whether other keys have come to stand in their places. */
function factsOf(otherInfo: string, chosen: ReadonlySet<number>): string {
  const facts = deadKeysOf(otherInfo)
    .filter(({ position }) => chosen.has(position))
    .map(({ position, reason, time }) => [position, reason, time])
  return JSON.stringify([objectIn(otherInfo)?.['keys'], facts])
}

/** What else is told of a channel that is off stays. */
function infoWith(row: ChannelRow, dead: readonly DeadKey[], count?: number): string {
  const { keys, dead_keys: _old, ...others } = objectIn(row.other_info) ?? {}
  const told = row.status === channelStatus.disabledAutomatically ? others : {}
  const info = dead.length > 0 ? { ...told, keys: count ?? keys, dead_keys: dead } : told
  return Object.keys(info).length === 0 ? '' : JSON.stringify(info)
}
