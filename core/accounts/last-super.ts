import { Op, type Transaction } from 'sequelize'
import { role, userStatus } from '../contract/constants.ts'
import type { DatabaseService } from '../contract/services.ts'
import { users, type UserRow } from '../data/models/user.ts'
import { lastSuperStays } from './account-errors.ts'

/** Without a super admin nobody could change settings or make another, and the next visitor could set the gateway up anew. Holds for whoever
 *  writes: routes have narrower rules, plugins none. If the account is a super admin, all of them are locked, because two could demote each other; else
 *  none is, since whoever locks their rows before it, such as the commit of calls, would wait for it and it for them.
 *  @param after what is written; undefined where the account is removed
 *  @throws account.last_super_admin */
export async function keepLastSuper(
  database: DatabaseService,
  id: number,
  after: Partial<Pick<UserRow, 'role' | 'status'>> | undefined,
  transaction: Transaction,
): Promise<void> {
  if (after && staysSuper(after)) return
  const held = { attributes: ['id'], lock: transaction.LOCK.UPDATE, transaction }
  const below = { id, role: { [Op.lt]: role.root } }
  if (await users(database).findOne({ ...held, where: below })) return
  const able = await users(database).findAll({
    ...held,
    where: { role: { [Op.gte]: role.root }, status: userStatus.active, deleted_at: null },
    order: [['id', 'ASC']],
  })
  if (able.length === 1 && able[0]?.get('id') === id) throw lastSuperStays()
}

function staysSuper(after: Partial<Pick<UserRow, 'role' | 'status'>>): boolean {
  const { role: given = role.root, status = userStatus.active } = after
  return given >= role.root && status === userStatus.active
}
