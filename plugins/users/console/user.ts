import { type Tone, userStatus } from '#console'
import type { User } from '../schema.ts'

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
