import { errorType } from '../../contract/errors.ts'
import type { OptionActor, ShownOptionChange } from '../../contract/options.ts'
import type { OptionTable, StoredChange } from './option-changes.ts'
import type { OptionStore } from './option-store.ts'

const gone = errorType('options.change_gone', 404, {
  en: 'This change is no longer kept. Open the history again.',
  zh: '该变更记录已不存在，请重新打开历史记录。',
})
const secretNotKept = errorType<{ key: string }>('options.secret_not_kept', 400, {
  en: '{key} is a secret: earlier values are not kept, so it cannot be rolled back. Enter it again.',
  zh: '{key} 是密钥：系统不保留旧值，无法回滚，请重新填写。',
})
const valueNotKept = errorType<{ key: string }>('options.value_not_kept', 400, {
  en: 'This value of {key} was too long to be kept, so it cannot be rolled back.',
  zh: '{key} 的这个值过长，未予保留，无法回滚。',
})

/** Longer values are cut in the list; a roll-back takes the whole. */
const MAX_SHOWN_CHARACTERS = 32_768

/** Who changed which option, and the way back. */
export class OptionHistory {
  readonly #table: OptionTable
  readonly #options: OptionStore

  constructor(table: OptionTable, options: OptionStore) {
    this.#table = table
    this.#options = options
  }

  /** Of these options as far as they are told at all; of none named, of all. */
  async list(
    keys: readonly string[],
    { page, pageSize }: { page: number; pageSize: number },
  ): Promise<{ items: ShownOptionChange[]; total: number }> {
    const listed = this.#options.listedKeys()
    const wanted = keys.length === 0 ? [...listed] : keys.filter((key) => listed.has(key))
    if (wanted.length === 0) return { items: [], total: 0 }
    const offset = (page - 1) * pageSize
    const { changes, total } = await this.#table.changes(wanted, { offset, limit: pageSize })
    return { items: changes.map((change) => this.#shown(change)), total }
  }

  /** By the same rules as any other saving.
   *  @throws options.change_gone, options.secret_not_kept, options.value_not_kept, and what OptionStore.set throws */
  async rollBack(id: number, to: 'old' | 'new', actor: OptionActor): Promise<void> {
    const change = await this.#table.change(id)
    if (!change || !this.#options.listedKeys().has(change.key)) throw gone()
    const { key } = change
    if (change.is_secret || this.#options.isSecret(key)) throw secretNotKept({ key })
    const value = to === 'old' ? change.old_value : change.new_value
    if (value === null) throw valueNotKept({ key })
    await this.#options.set(key, value, actor)
  }

  #shown(change: StoredChange): ShownOptionChange {
    const isSecret = change.is_secret || this.#options.isSecret(change.key)
    const shown = (value: string | null) =>
      isSecret || value === null ? null : value.slice(0, MAX_SHOWN_CHARACTERS)
    return {
      ...change,
      is_secret: isSecret,
      old_value: shown(change.old_value),
      new_value: shown(change.new_value),
      can_restore: !isSecret && change.new_value !== null,
      can_restore_old: !isSecret && change.old_value !== null,
    }
  }
}
