import type { Tone } from '#console'

/** One account as `/api/user/` sends it to admins. */
export interface User {
  id: number
  username: string
  display_name: string
  email: string
  /** 1 user, 10 admin, 100 super admin. */
  role: number
  /** 1 active, 2 banned, 3 locked. */
  status: number
  group: string
  quota: number
  used_quota: number
  request_count: number
  aff_count: number
  aff_quota: number
  aff_history_quota: number
  /** 0: nobody. */
  inviter_id: number
  github_id: string
  oidc_id: string
  wechat_id: string
  telegram_id: string
  linux_do_id: string
  /** Not null: deregistered. */
  DeletedAt: string | null
}

export const userRole = { user: 1, admin: 10, super: 100 } as const
export const userStatus = { active: 1, banned: 2, locked: 3 } as const

export const boundFields = [
  'github_id',
  'oidc_id',
  'wechat_id',
  'telegram_id',
  'linux_do_id',
] as const satisfies readonly (keyof User)[]

export function isGone({ DeletedAt }: Pick<User, 'DeletedAt'>): boolean {
  return DeletedAt !== null
}

export function stateOf(user: Pick<User, 'status' | 'DeletedAt'>): { key: string; tone: Tone } {
  if (isGone(user)) return { key: 'gone', tone: 'off' }
  if (user.status === userStatus.active) return { key: 'active', tone: 'success' }
  if (user.status === userStatus.locked) return { key: 'locked', tone: 'warning' }
  return { key: 'banned', tone: 'danger' }
}
