import { isGone, type User, userRole, userStatus } from './user.ts'

export type ManageAction = 'disable' | 'enable' | 'promote' | 'demote' | 'delete'

type Target = Pick<User, 'role' | 'status' | 'DeletedAt'>

/** Whether the one in front may read and edit the other: admins reach lower roles, the super admin everybody. */
export function mayReach(ownRole: number, target: Target): boolean {
  if (isGone(target)) return false
  return ownRole >= userRole.super || target.role < ownRole
}

/** What may be done with a user, as the server decides it too. */
export function actionsFor(ownRole: number, target: Target): ManageAction[] {
  if (!mayReach(ownRole, target)) return []
  const isSuperTarget = target.role >= userRole.super
  const actions: ManageAction[] = []
  if (target.status === userStatus.active) {
    if (!isSuperTarget) actions.push('disable')
  } else if (target.status !== userStatus.locked) {
    actions.push('enable')
  }
  if (ownRole >= userRole.super && !isSuperTarget) {
    actions.push(target.role === userRole.user ? 'promote' : 'demote')
  }
  if (!isSuperTarget) actions.push('delete')
  return actions
}
