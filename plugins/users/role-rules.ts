import { errorType, type Caller, type UserRecord, role } from '#core'

const roleRefused = errorType('users.role_refused', 403, {
  en: 'You cannot act on a user of the same or a higher role.',
  zh: '无权操作同级或更高级别的用户。',
})
const roleTooHigh = errorType('users.role_too_high', 403, {
  en: 'You cannot give a role that is equal to or above your own.',
  zh: '无法授予等于或高于自己的角色。',
})

type Role = Pick<UserRecord, 'role'>

export function isSuper(user: { role: number }): boolean {
  return user.role >= role.root
}

/** For reading, editing and every action: an admin reaches lower roles only, the super admin everybody.
 *  @throws users.role_refused */
export function checkReach(caller: Pick<Caller, 'role'>, target: Role): void {
  if (!isSuper(caller) && target.role >= caller.role) throw roleRefused()
}

/** A role in a body is never written, but one that the caller may not give is refused.
 *  @throws users.role_too_high */
export function checkSentRole(
  caller: Pick<Caller, 'role'>,
  sent: number | null | undefined,
  options: { isCreation: boolean },
): void {
  if (sent === null || sent === undefined) return
  if (!options.isCreation && isSuper(caller)) return
  if (sent >= caller.role) throw roleTooHigh()
}

/** Super admins cannot be deleted by anybody.
 *  @throws users.role_refused */
export function checkRemovable(caller: Pick<Caller, 'role'>, target: Role): void {
  checkReach(caller, target)
  if (isSuper(target)) throw roleRefused()
}
