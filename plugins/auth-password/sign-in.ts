import { errorType, type PluginServices, type UserRecord } from '#core'
import type { SignInBody } from './schema.ts'

const passwordSignInOff = errorType('sign_in.password_off', 403, {
  en: 'Sign-in by password is switched off.',
  zh: '管理员已关闭密码登录。',
})
const incomplete = errorType('sign_in.incomplete', 400, {
  en: 'Enter the user name and the password.',
  zh: '请输入用户名和密码。',
})
// One text for all, so that it does not tell which names exist.
const refused = errorType('sign_in.refused', 403, {
  en: 'The user name or the password is wrong, or the account has been banned.',
  zh: '用户名或密码错误，或用户已被封禁。',
})
const tooManyTries = errorType<{ minutes: number }>('sign_in.too_many_tries', 429, {
  en: 'Too many wrong passwords for this account. Try again in {minutes} min.',
  zh: '该账号密码错误次数过多，请在 {minutes} 分钟后重试。',
})

/** Wrong passwords for one account from all addresses together; the class `critical` counts by address. */
const MAX_WRONG = 50
const WRONG_WINDOW_SECONDS = 1200

type Services = Pick<PluginServices, 'accounts' | 'options' | 'rateLimits'>

/** The account of a right user name (or e-mail address) and password.
 *  @throws sign_in.password_off, sign_in.incomplete, sign_in.too_many_tries, sign_in.refused */
export async function identifyByPassword(
  { accounts, options, rateLimits }: Services,
  body: SignInBody,
): Promise<UserRecord> {
  const name = (body.username ?? '').trim()
  const password = body.password ?? ''
  const isOff = !options.get<boolean>('PasswordLoginEnabled')
  if (!isOff && (name === '' || password === '')) throw incomplete()
  const user = await accounts.findByLogin(name)
  // The super admin can always get in to switch it on again.
  if (isOff && user?.role !== 100) throw passwordSignInOff()
  const tries = `wrong-password:${user?.id ?? 0}`
  if (user) {
    const { isAllowed, retryAfterSeconds } = await rateLimits.peek(
      tries,
      MAX_WRONG,
      WRONG_WINDOW_SECONDS,
    )
    if (!isAllowed) throw tooManyTries({ minutes: Math.ceil(retryAfterSeconds / 60) })
  }
  // Checked for an unknown name too: the time must not tell.
  const isRight = await accounts.checkPassword(user?.id ?? 0, password)
  if (user && isRight && user.status === 1) return user
  if (user && !isRight) await rateLimits.take(tries, MAX_WRONG, WRONG_WINDOW_SECONDS)
  throw refused()
}
