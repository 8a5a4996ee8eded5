import { role, userStatus } from '#console'
import type { User } from '../schema.ts'
import { isGone } from './user.ts'

export type ManageAction = 'disable' | 'enable' | 'promote' | 'demote' | 'delete'

type Target = Pick<User, 'role' | 'status' | 'DeletedAt'>

/** Whether the signed-in admin may read and edit a user: admins reach lower roles, the super admin everybody. */
export function mayReach(ownRole: number, target: Target): boolean {
  if (isGone(target)) return false
  return ownRole >= role.root || target.role < ownRole
}

/** The server resets the second factor of lower roles only: one's own is changed in the personal settings. */
export function mayResetFactor(ownRole: number, target: Target): boolean {
  return !isGone(target) && target.role < ownRole
}

/** The actions that are allowed on a user; the server applies the same rules. */
export function actionsFor(ownRole: number, target: Target): ManageAction[] {
  if (!mayReach(ownRole, target)) return []
  const isSuperTarget = target.role >= role.root
  const actions: ManageAction[] = []
  if (target.status === userStatus.active) {
    if (!isSuperTarget) actions.push('disable')
  } else if (target.status !== userStatus.locked) {
    actions.push('enable')
  }
  if (ownRole >= role.root && !isSuperTarget) {
    actions.push(target.role === role.user ? 'promote' : 'demote')
  }
  if (!isSuperTarget) actions.push('delete')
  return actions
}
