// The tables of options and of their changes for the kernel, which does not know the database.
import { Op, type Transaction } from 'sequelize'
import type { DatabaseService } from '../contract/services.ts'
import { plainRows } from '../data/models/define-model.ts'
import { optionChanges } from '../data/models/option-change.ts'
import { options } from '../data/models/option.ts'
import { lockSettings } from './locked-settings-sql.ts'
import { MAX_KEPT_CHANGES, type OptionTable } from '../kernel/options/option-changes.ts'

export function optionTable(database: DatabaseService): OptionTable {
  return {
    read: async () => plainRows(await options(database).findAll()),
    write: (values, note, check) =>
      database.transaction(async (transaction) => {
        await check?.(await lockSettings(database, transaction))
        const before = await storedBefore(database, values, transaction)
        for (const row of values) await options(database).upsert(row, { transaction })
        const notes = values.flatMap(({ key }) => note(key, before.get(key)) ?? [])
        await optionChanges(database).bulkCreate(notes, { transaction })
        for (const { key } of notes) await prune(database, key, transaction)
      }),
    hideHistory: async (keys) => {
      const hidden = { is_secret: true, old_value: null, new_value: null, old_size: 0, new_size: 0 }
      const where = { key: [...keys], is_secret: false }
      await optionChanges(database).update(hidden, { where })
    },
    changes: async (keys, { offset, limit }) => {
      const where = { key: [...keys] }
      const order: [string, string][] = [['id', 'DESC']]
      const [rows, total] = await Promise.all([
        optionChanges(database).findAll({ where, order, offset, limit }),
        optionChanges(database).count({ where }),
      ])
      return { changes: plainRows(rows), total }
    },
    change: async (id) => plainRows(await optionChanges(database).findAll({ where: { id } }))[0],
  }
}

/** Locks the rows, so that if two nodes change an option at once, each records the value that the other has written. */
async function storedBefore(
  database: DatabaseService,
  values: readonly { key: string }[],
  transaction: Transaction,
): Promise<Map<string, string>> {
  const where = { key: values.map(({ key }) => key) }
  const rows = await options(database).findAll({
    where,
    transaction,
    lock: transaction.LOCK.UPDATE,
  })
  return new Map(plainRows(rows).map(({ key, value }) => [key, value]))
}

async function prune(database: DatabaseService, key: string, transaction: Transaction) {
  const [oldest] = await optionChanges(database).findAll({
    where: { key },
    order: [['id', 'DESC']],
    offset: MAX_KEPT_CHANGES,
    limit: 1,
    transaction,
  })
  if (!oldest) return
  const id = { [Op.lte]: oldest.get('id') as number }
  await optionChanges(database).destroy({ where: { key, id }, transaction })
}
