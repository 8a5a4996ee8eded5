import {
  errorType,
  isSameSecret,
  type PluginServices,
  role,
  siteAddress,
  type UserRecord,
  userStatus,
} from '#core'
import { isMailAddress } from './mail-address.ts'
import type { Mailer } from './mailer.ts'
import { type Asking, mayRepeat, pauseOfNetwork } from './pauses.ts'
import { noResetMail, resetMail } from './templates.ts'

const emailMissing = errorType('reset.email_missing', 400, {
  en: 'Enter the e-mail address of your account.',
  zh: '请输入账户绑定的邮箱地址。',
})
const notReady = errorType('reset.no_mail', 400, {
  en: 'This site cannot send mail yet. Ask its administrator for a new password.',
  zh: '本站尚未配置邮件服务，请联系管理员重置密码。',
})
const linkInvalid = errorType('reset.link_invalid', 400, {
  en: 'The link is invalid or has expired. Ask for a new one.',
  zh: '重置链接无效或已过期，请重新申请。',
})

const PURPOSE = 'r'
const LIFETIME_MINUTES = 10
const SECRET_LENGTH = 32
const SEAL_LENGTH = 16
const PASSWORD_LENGTH = 16

export type ResetServices = Pick<
  PluginServices,
  'accounts' | 'environment' | 'log' | 'options' | 'rateLimits' | 'secrets'
>

/** Answers alike, and equally fast, whether or not the address belongs to an account: the look-up and the mail follow
 *  the answer.
 *  @throws reset.email_missing, reset.no_mail, mail.too_soon */
export async function requestReset(
  services: ResetServices,
  mailer: Mailer,
  { email, language, address }: { email: string; language: 'en' | 'zh'; address: string },
): Promise<void> {
  if (!isMailAddress(email)) throw emailMissing({}, { field: 'email' })
  if (!mailer.isReady()) throw notReady()
  const asking = { purpose: PURPOSE, email, address }
  await pauseOfNetwork(services.rateLimits, asking)
  void mailLink(services, mailer, asking, language).catch((error: unknown) =>
    services.log.warn({ err: error }, 'a link to reset a password was not sent'),
  )
}

/** A valid link sets a new password, and ends all sessions and the system access token.
 *  @returns the new password. @throws reset.link_invalid */
export async function resetPassword(
  services: Pick<ResetServices, 'accounts' | 'secrets'>,
  { email, token }: { email: string; token: string },
): Promise<string> {
  const { accounts, secrets } = services
  // A link that was not made here never reaches the stored code, so that wrong tries cannot use up the owner's.
  if (!isSealed(services, email, token)) throw linkInvalid()
  if (!(await accounts.codes.consume(PURPOSE, email, token))) throw linkInvalid()
  const user = await ownerOf(accounts, email)
  if (!user) throw linkInvalid()
  const password = secrets.random(PASSWORD_LENGTH)
  await accounts.update(user.id, { password, password_made: true })
  return password
}

/** While a link is valid, further requests prolong it and mail the same one again, unless enough mails with it were
 *  sent. So strangers cannot invalidate the owner's link by requesting others. */
async function mailLink(
  services: ResetServices,
  mailer: Mailer,
  asking: Asking,
  language: 'en' | 'zh',
): Promise<void> {
  const { accounts, options, rateLimits } = services
  const { email } = asking
  const user = await ownerOf(accounts, email)
  if (!user) return
  const site = options.get<string>('SystemName')
  if (isAboveMail(services, user)) {
    if (!(await mayRepeat(rateLimits, asking))) return
    const account = { username: user.username, isSuper: user.role >= role.root }
    await mailer.send({ to: email, ...noResetMail(account, site, language) })
    return
  }
  const fresh = newToken(services, email)
  const lifetime = LIFETIME_MINUTES * 60
  const { code: token, isFresh } = await accounts.codes.keep(PURPOSE, email, fresh, lifetime)
  if (!isFresh && !(await mayRepeat(rateLimits, asking))) return
  const link = `${siteAddress(services)}/user/reset?${new URLSearchParams({ email, token }).toString()}`
  const words = resetMail({ username: user.username, link }, LIFETIME_MINUTES, site, language)
  try {
    await mailer.send({ to: email, ...words })
  } catch (error) {
    // A link that could not be mailed must not prevent the next mail.
    if (isFresh) await accounts.codes.consume(PURPOSE, email, token)
    throw error
  }
}

/** Whoever may change options chooses the mail server and the site that links lead to. If admins may, a mail must not
 *  open the account of the super admin or of another admin. Those get a new password from the super admin, or by
 *  `tollgate account reset`. */
function isAboveMail({ environment }: ResetServices, user: UserRecord): boolean {
  const { optionMinRole } = environment
  return optionMinRole < role.root && user.role >= optionMinRole
}

function newToken(services: ResetServices, email: string): string {
  const secret = services.secrets.random(SECRET_LENGTH)
  return `${secret}${sealOf(services, email, secret)}`
}

/** A live account with that e-mail address. User names never count. */
async function ownerOf(
  accounts: PluginServices['accounts'],
  email: string,
): Promise<UserRecord | undefined> {
  const user = await accounts.findByLogin(email)
  return user && accounts.emailForm(user.email) === email && user.status === userStatus.active
    ? user
    : undefined
}

function sealOf({ secrets }: Pick<ResetServices, 'secrets'>, email: string, secret: string) {
  return secrets.lookup('code', `reset\n${email}\n${secret}`).slice(0, SEAL_LENGTH)
}

function isSealed(services: Pick<ResetServices, 'secrets'>, email: string, token: string): boolean {
  if (token.length !== SECRET_LENGTH + SEAL_LENGTH) return false
  const right = sealOf(services, email, token.slice(0, SECRET_LENGTH))
  return isSameSecret(token.slice(SECRET_LENGTH), right)
}
