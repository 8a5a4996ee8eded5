import type { Transaction, WhereOptions } from 'sequelize'
import type { DatabaseService } from '../contract/services.ts'
import { toUserRecord, users, type UserRecord, type UserRow } from '../data/models/user.ts'
import { userIdentities } from '../data/models/user-identity.ts'

export async function findUser(
  database: DatabaseService,
  where: WhereOptions<UserRow>,
  transaction?: Transaction,
): Promise<UserRow | undefined> {
  const found = await users(database).findOne({ where, transaction: transaction ?? null })
  return found?.get()
}

/** The rows in their form on the wire, with their identities. */
export async function recordsOf(
  database: DatabaseService,
  rows: readonly UserRow[],
  transaction?: Transaction,
): Promise<UserRecord[]> {
  const found = await userIdentities(database).findAll({
    where: { user_id: rows.map(({ id }) => id) },
    transaction: transaction ?? null,
  })
  const identities = found.map((identity) => identity.get())
  return rows.map((row) =>
    toUserRecord(
      row,
      identities.filter(({ user_id: userId }) => userId === row.id),
    ),
  )
}
