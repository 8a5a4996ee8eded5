import {
  errorType,
  type PluginServices,
  type SessionHandle,
  type UserRecord,
  role,
  userStatus,
} from '#core'
import type { SignInBody } from './schema.ts'

const passwordSignInOff = errorType('sign_in.password_off', 403, {
  en: 'Sign-in by password is switched off.',
  zh: '管理员已关闭密码登录。',
})
const incomplete = errorType('sign_in.incomplete', 400, {
  en: 'Enter the user name and the password.',
  zh: '请输入用户名和密码。',
})
// One text for all reasons, so that it does not reveal which names exist.
const refused = errorType('sign_in.refused', 403, {
  en: 'The user name or the password is wrong, or the account has been banned.',
  zh: '用户名或密码错误，或用户已被封禁。',
})
type Services = Pick<PluginServices, 'accounts' | 'guesses' | 'options'>

/** The account with this user name (or e-mail address) and password.
 *  @throws sign_in.password_off, sign_in.incomplete, sign_in.refused, guesses.too_many */
export async function identifyByPassword(
  { accounts, guesses, options }: Services,
  body: SignInBody,
  { clientAddress, session }: { clientAddress: string; session: SessionHandle },
): Promise<{ user: UserRecord; passwordMark: string }> {
  const name = (body.username ?? '').trim()
  const password = body.password ?? ''
  const isOff = !options.get<boolean>('PasswordLoginEnabled')
  if (!isOff && (name === '' || password === '')) throw incomplete()
  let found: Promise<UserRecord | undefined> | undefined
  const find = () => (found ??= accounts.findByLogin(name))
  // An unknown name is checked like any other, so that the time does not tell which names exist.
  const idOf = async () => (await find())?.id ?? 0
  const guess = {
    kind: 'password',
    subject: name,
    address: clientAddress,
    owner: idOf,
    isKnownNetwork: async (network: string) => accounts.isKnownNetwork(await idOf(), network),
    knownDevice: async () => {
      const devices = await session.knownDevices()
      return devices.size === 0 ? undefined : devices.get(await idOf())
    },
  }
  const shown = await guesses.judge(guess, async (knownDevice, isBeyond) => {
    const user = isBeyond ? undefined : await find()
    const passwordMark = await accounts.matchPassword(user?.id ?? 0, password, knownDevice)
    if (passwordMark === undefined || user?.status !== userStatus.active) return undefined
    return { user, passwordMark }
  })
  if (!shown) throw refused()
  // The super admin can always sign in, to switch it on again. Checked after the password, so that a wrong password
  // does not reveal who the super admin is.
  if (isOff && shown.user.role !== role.root) throw passwordSignInOff()
  return shown
}
