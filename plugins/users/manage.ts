import {
  errorType,
  type AppError,
  type Caller,
  type PluginServices,
  type UserRecord,
  role,
  userStatus,
} from '#core'
import { logAction } from './account-log.ts'
import { checkReach, isSuper } from './role-rules.ts'
import type { ManageBody } from './schema.ts'
import { existingUser } from './find-user.ts'

const actionUnknown = errorType<{ action: string }>('users.action_unknown', 400, {
  en: 'There is no action "{action}".',
  zh: '未知操作“{action}”。',
})
const alreadyDeleted = errorType('users.deleted', 409, {
  en: 'This user has been deregistered already.',
  zh: '该用户已注销。',
})
const superUntouchable = errorType('users.super_untouchable', 403, {
  en: 'The super admin cannot be disabled, deleted or demoted.',
  zh: '无法禁用、删除或降级超级管理员。',
})
const onlySuperPromotes = errorType('users.only_super_promotes', 403, {
  en: 'Only the super admin can make a user an admin.',
  zh: '只有超级管理员可以将用户提升为管理员。',
})
const alreadyAdmin = errorType('users.already_admin', 409, {
  en: 'This user is an admin already.',
  zh: '该用户已是管理员。',
})
const alreadyNormal = errorType('users.already_normal', 409, {
  en: 'This user is a normal user already.',
  zh: '该用户已是普通用户。',
})
const locked = errorType('users.locked', 409, {
  en: 'This user is locked: the account can be neither enabled nor disabled.',
  zh: '该用户已被锁定，无法启用或禁用。',
})

/** The one column that an action changes (role or status), or a deregistration. */
type Outcome = { role: number } | { status: number } | 'delete'

type Action = (caller: Caller, target: UserRecord) => Outcome | AppError

const ACTIONS: Readonly<Record<string, Action>> = {
  // Disabling would replace the status of a locked account, which `enable` could then open.
  disable: (_caller, target) => {
    if (isSuper(target)) return superUntouchable()
    return target.status === userStatus.locked ? locked() : { status: userStatus.disabled }
  },
  enable: (_caller, target) =>
    target.status === userStatus.locked ? locked() : { status: userStatus.active },
  delete: (_caller, target) => (isSuper(target) ? superUntouchable() : 'delete'),
  promote: (caller, target) => {
    if (!isSuper(caller)) return onlySuperPromotes()
    return target.role === role.user ? { role: role.admin } : alreadyAdmin()
  },
  demote: (_caller, target) => {
    if (isSuper(target)) return superUntouchable()
    return target.role === role.user ? alreadyNormal() : { role: role.user }
  },
}

type Services = Pick<PluginServices, 'accounts' | 'logs'>

/** @throws users.*, account.unknown */
export async function manageUser(
  { accounts, logs }: Services,
  caller: Caller,
  body: ManageBody,
): Promise<{ role: number; status: number }> {
  const action = Object.hasOwn(ACTIONS, body.action) ? ACTIONS[body.action] : undefined
  if (!action) throw actionUnknown({ action: body.action }, { field: 'action' })
  const target = await existingUser(accounts, body.id)
  if (target.DeletedAt !== null) throw alreadyDeleted()
  checkReach(caller, target)
  const outcome = action(caller, target)
  if (outcome instanceof Error) throw outcome
  if (outcome === 'delete') await accounts.softDelete(target.id, caller)
  else await accounts.update(target.id, outcome, { caller })
  logAction({ logs }, caller, target, body.action)
  const after = outcome === 'delete' ? target : { ...target, ...outcome }
  return { role: after.role, status: after.status }
}
