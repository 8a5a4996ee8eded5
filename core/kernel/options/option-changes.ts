// What is kept of a change of an option, and the table it is kept in.
import { logType } from '../../contract/constants.ts'
import type { LogService } from '../../contract/services.ts'
import type { OptionActor, OptionChange } from '../../contract/options.ts'
import { changedField } from '../changed-field.ts'
import { optionChanged } from './option-refusals.ts'

export type StoredChange = OptionChange & { id: number }

/** Longer values are told by their size alone. */
const MAX_KEPT_CHARACTERS = 131_072
/** How many changes of one option are kept; the next change deletes older ones. */
export const MAX_KEPT_CHANGES = 50

interface StoredOption {
  key: string
  value: string
}

/** The stored values at one moment, unchanged while a change is checked. */
export interface LockedSettings {
  options: readonly StoredOption[]
  /** Ids of those that somebody has switched off. */
  pluginsOff: ReadonlySet<string>
}

/** Values as a page had read them before they were edited there; wire strings by key. */
export type Shown = Readonly<Record<string, string>>

/** @param now the current wire string; undefined for secrets, which are shown to nobody
 *  @throws options.changed */
export function refuseChanged(shown: Shown, now: (key: string) => string | undefined): void {
  const key = changedField(shown, now)
  if (key !== undefined) throw optionChanged({ key }, { field: key })
}

export type As = <T>(read: () => T) => T

/** Looks at what a change would lead to before it is written: what these call reads the options as they are stored, and as if it were
 *  made. @throws AppError */
export type ChangeGuard = (
  as: { stored: As; changed: As },
  pluginsOff: ReadonlySet<string>,
) => Promise<void>

/** The row that says who it was. */
export function changeLog(
  key: string,
  { id, username }: OptionActor,
): Parameters<LogService['write']>[0] {
  return {
    user_id: id,
    username,
    type: logType.manage,
    content: `Option ${key} was changed`,
    other: JSON.stringify({ op: 'option', key }),
  }
}

/** Tables `options` and `option_changes`. */
export interface OptionTable {
  read(): Promise<StoredOption[]>
  /** Writes all values, and what `note` returns for each, or nothing. `note` gets what was stored before.
   *  @param check refuses the change by throwing; nothing is written between the check and the values */
  write(
    values: readonly StoredOption[],
    note: (key: string, before: string | undefined) => OptionChange | undefined,
    check?: (stored: LockedSettings) => Promise<void>,
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
