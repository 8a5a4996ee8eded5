import { errorType, type AccountService, type UserRecord } from '#core'
import type { SelfBody } from './schema.ts'

const accountGone = errorType('personal.account_gone', 404, {
  en: 'This account does not exist any more.',
  zh: '该账户已不存在。',
})
const originalMissing = errorType('personal.original_password_missing', 400, {
  en: 'Enter your current password.',
  zh: '请输入原密码。',
})
const originalWrong = errorType('personal.original_password_wrong', 403, {
  en: 'The current password is wrong.',
  zh: '原密码错误。',
})
const samePassword = errorType('personal.same_password', 400, {
  en: 'The new password must differ from the current one.',
  zh: '新密码不能与原密码相同。',
})

/** With the own webhook secret, which the settings form sends back with every save. */
export async function ownRecord(accounts: AccountService, id: number): Promise<UserRecord> {
  const user = await accounts.find(id)
  if (!user) throw accountGone()
  if (user.setting === '') return user
  return { ...user, setting: JSON.stringify(await accounts.settingOf(id)) }
}

/** Empty and absent fields stay as they are. A new password ends the other sessions.
 *  @throws personal.original_password_missing, personal.original_password_wrong, personal.same_password, account.* */
export async function updateSelf(
  accounts: AccountService,
  id: number,
  body: SelfBody,
  keepSessionId: string | undefined,
): Promise<void> {
  const changes = {
    username: body.username || undefined,
    display_name: body.display_name || undefined,
    password: body.password || undefined,
  }
  accounts.checkCredentials(changes)
  if (changes.password !== undefined) {
    await checkOriginal(accounts, id, changes.password, body.original_password ?? '')
  }
  await accounts.update(id, changes, { keepSessionId })
}

/** Accounts that came through a provider have no password yet and may set one. */
async function checkOriginal(
  accounts: AccountService,
  id: number,
  password: string,
  original: string,
): Promise<void> {
  if (!(await accounts.hasPassword(id))) return
  if (original === '') throw originalMissing({}, { field: 'original_password' })
  if (original === password) throw samePassword({}, { field: 'password' })
  if (await accounts.checkPassword(id, original)) return
  throw originalWrong({}, { field: 'original_password' })
}
