import {
  errorType,
  type AccountService,
  type Caller,
  type PluginServices,
  type UserRecord,
} from '#core'
import { saveLanguage } from './own-setting.ts'
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

/** Users who came through a sign-in provider have no password to enter until they set one. */
type OwnRecord = UserRecord & { has_password: boolean }

/** Includes the user's webhook secret, because the settings form sends it back with every save. */
export async function ownRecord(accounts: AccountService, id: number): Promise<OwnRecord> {
  const found = await accounts.find(id)
  if (!found) throw accountGone()
  const user = { ...found, has_password: await accounts.hasPassword(id) }
  if (user.setting === '') return user
  return { ...user, setting: JSON.stringify(await accounts.settingOf(id)) }
}

/** Empty and absent fields stay as they are. A new password ends the other sessions.
 *  @throws personal.original_password_missing, personal.original_password_wrong, personal.same_password, account.*,
 *  auth.proof_needed for a first password, which no old one goes before */
export async function updateSelf(
  { accounts, guesses }: Pick<PluginServices, 'accounts' | 'guesses'>,
  caller: Caller,
  body: SelfBody,
  {
    keepSessionId,
    address,
    requireProof,
  }: { keepSessionId: string | undefined; address: string; requireProof(): void },
): Promise<void> {
  const { id } = caller
  const changes = {
    username: body.username || undefined,
    display_name: body.display_name || undefined,
    password: body.password || undefined,
  }
  accounts.checkCredentials(changes)
  if (changes.password !== undefined) {
    const original = body.original_password ?? ''
    if (await needsOriginal(accounts, id, changes.password, original)) {
      // Somebody who has taken over a session must guess the password like anybody else.
      const guess = { kind: 'own-password', subject: String(id), address }
      const check = async () => (await accounts.checkPassword(id, original)) || undefined
      if (!(await guesses.judge(guess, check)))
        throw originalWrong({}, { field: 'original_password' })
    } else requireProof()
  }
  await accounts.update(id, changes, { keepSessionId, caller })
  if (body.language) await saveLanguage(accounts, id, body.language)
}

/** Accounts that came through a provider have no password yet, and may set one. */
async function needsOriginal(
  accounts: AccountService,
  id: number,
  password: string,
  original: string,
): Promise<boolean> {
  if (!(await accounts.hasPassword(id))) return false
  if (original === '') throw originalMissing({}, { field: 'original_password' })
  if (original === password) throw samePassword({}, { field: 'password' })
  return true
}
