// What is kept of a change of an option, and the table it is kept in.
import type { OptionActor, OptionChange } from '../../contract/options.ts'

export type StoredChange = OptionChange & { id: number }

/** Longer values are told by their size alone. */
const MAX_KEPT_CHARACTERS = 131_072
/** How many changes of one option are kept; older ones go with the next change. */
export const MAX_KEPT_CHANGES = 50

interface StoredOption {
  key: string
  value: string
}

/** Tables `options` and `option_changes`. */
export interface OptionTable {
  read(): Promise<StoredOption[]>
  /** All of it or nothing: the values, and what `note` makes of each. It gets what was stored before. */
  write(
    values: readonly StoredOption[],
    note: (key: string, before: string | undefined) => OptionChange | undefined,
  ): Promise<void>
  /** Takes the values of these options out of their history. */
  hideHistory(keys: readonly string[]): Promise<void>
  /** The newest first. */
  changes(
    keys: readonly string[],
    page: { offset: number; limit: number },
  ): Promise<{ changes: StoredChange[]; total: number }>
  change(id: number): Promise<StoredChange | undefined>
}

interface Values {
  /** Wire strings; undefined: unreadable. */
  before: string | undefined
  after: string
  isSecret: boolean
}

export function changeOf(
  key: string,
  { before, after, isSecret }: Values,
  { actor, nowMs }: { actor: OptionActor | undefined; nowMs: number },
): OptionChange {
  const kept = (value: string | undefined) =>
    isSecret || value === undefined || value.length > MAX_KEPT_CHARACTERS ? null : value
  const sizeOf = (value = '') => (isSecret ? 0 : value.length)
  return {
    key,
    changed_at: Math.floor(nowMs / 1000),
    user_id: actor?.id ?? 0,
    username: actor?.username ?? '',
    origin: actor?.origin ?? 'gateway',
    is_secret: isSecret,
    old_value: kept(before),
    new_value: kept(after),
    old_size: sizeOf(before),
    new_size: sizeOf(after),
  }
}
