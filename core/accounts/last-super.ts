import { Op, type Transaction } from 'sequelize'
import { role, userStatus } from '../contract/constants.ts'
import type { DatabaseService } from '../contract/services.ts'
import { users, type UserRow } from '../data/models/user.ts'
import { lastSuperStays } from './account-errors.ts'

/** Without a super admin nobody could change settings or make another, and the next visitor could set the gateway up anew. Holds for whoever
 *  writes: routes have narrower rules, plugins none. All super admins are locked, because two could demote each other.
 *  @param after what is written; undefined where the account is removed
 *  @throws account.last_super_admin */
export async function keepLastSuper(
  database: DatabaseService,
  id: number,
  after: Partial<Pick<UserRow, 'role' | 'status'>> | undefined,
  transaction: Transaction,
): Promise<void> {
  if (after && staysSuper(after)) return
  const able = await users(database).findAll({
    attributes: ['id'],
    where: { role: { [Op.gte]: role.root }, status: userStatus.active, deleted_at: null },
    order: [['id', 'ASC']],
    lock: transaction.LOCK.UPDATE,
    transaction,
  })
  if (able.length === 1 && able[0]?.get('id') === id) throw lastSuperStays()
}

function staysSuper(after: Partial<Pick<UserRow, 'role' | 'status'>>): boolean {
  const { role: given = role.root, status = userStatus.active } = after
  return given >= role.root && status === userStatus.active
}
