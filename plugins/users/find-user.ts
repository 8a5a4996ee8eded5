import { errorType, type AccountService, type UserRecord } from '#core'

const unknownUser = errorType('users.unknown', 404, {
  en: 'There is no such user.',
  zh: '用户不存在。',
})

/** Finds deregistered users, too.
 *  @throws users.unknown */
export async function existingUser(accounts: AccountService, id: number): Promise<UserRecord> {
  const user = await accounts.find(id)
  if (!user) throw unknownUser()
  return user
}

/** @throws users.unknown, also for a deregistered user */
export async function liveUser(accounts: AccountService, id: number): Promise<UserRecord> {
  const user = await existingUser(accounts, id)
  if (user.DeletedAt !== null) throw unknownUser()
  return user
}
