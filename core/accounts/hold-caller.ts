import { Op, type Transaction } from 'sequelize'
import { role, userStatus } from '../contract/constants.ts'
import type { Standing } from '../contract/http.ts'
import type { DatabaseService } from '../contract/services.ts'
import { sessions } from '../data/models/session.ts'
import { users, type UserRow } from '../data/models/user.ts'
import { roleTooLow, signInRequired } from './account-errors.ts'

/** Repeats the access check inside a transaction; the guards run it before everything that a call writes. The session
 *  or access token may have ended since the call was admitted, e.g. by a new password. Locks the account first:
 *  whatever ends a session or token writes the account too, so one waits for the other.
 *  @throws auth.required, access.role_too_low */
export async function holdCaller(
  database: DatabaseService,
  caller: Standing,
  transaction: Transaction,
  minimumRole: number = role.user,
): Promise<void> {
  const lock = transaction.LOCK.UPDATE
  const row = (await users(database).findByPk(caller.id, { lock, transaction }))?.get()
  if (!row || row.deleted_at !== null || row.status !== userStatus.active) throw signInRequired()
  const isIn =
    caller.by === 'session'
      ? await isSessionLive(database, caller, transaction)
      : isTokenLive(row, caller)
  if (!isIn) throw signInRequired()
  if (row.role < minimumRole) throw roleTooLow()
}

/** A transaction that does its work only if the caller may still act.
 *  @throws auth.required */
export function heldTransaction<T>(
  database: DatabaseService,
  caller: Standing,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  return database.transaction(async (transaction) => {
    await holdCaller(database, caller, transaction)
    return work(transaction)
  })
}

/** The same as `holdCaller` for a call that changes the account `id`. Its role may have risen since the call was admitted; by now an admin reaches lower roles only,
 *  the super admin everybody. Locks both in the order of their ids, because two who change each other would wait for each other.
 *  @throws auth.required, access.role_too_low */
export async function holdReach(
  database: DatabaseService,
  caller: Standing,
  id: number,
  transaction: Transaction,
): Promise<void> {
  const lock = transaction.LOCK.UPDATE
  const both = { where: { id: [caller.id, id] }, order: [['id', 'ASC']] as [string, string][] }
  const rows = await users(database).findAll({
    ...both,
    attributes: ['id', 'role'],
    lock,
    transaction,
  })
  await holdCaller(database, caller, transaction)
  const roleOf = (wanted: number) => rows.find((row) => row.get().id === wanted)?.get().role ?? 0
  const own = roleOf(caller.id)
  if (id !== caller.id && own < role.root && roleOf(id) >= own) throw roleTooLow()
}

async function isSessionLive(
  database: DatabaseService,
  { id, credential }: Standing,
  transaction: Transaction,
): Promise<boolean> {
  const where = { id_hash: credential, user_id: id, expires_at: { [Op.gt]: seconds() } }
  // The session is locked too, because signing out elsewhere ends it without writing the account.
  const lock = transaction.LOCK.UPDATE
  return (await sessions(database).findOne({ where, lock, transaction })) !== null
}

function isTokenLive(row: UserRow, { credential }: Standing): boolean {
  return row.access_token === credential && (row.access_token_expires_at ?? Infinity) > seconds()
}

function seconds(): number {
  return Math.floor(Date.now() / 1000)
}
