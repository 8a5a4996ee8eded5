import { timingSafeEqual } from 'node:crypto'
import { errorType, type PluginServices, type UserRecord, userStatus } from '#core'
import { siteOf, type Mailer } from './mailer.ts'
import { pauseBetween } from './pauses.ts'
import { resetMail } from './templates.ts'

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
const ADDRESS = /^[^\s@,;<>"]{1,64}@[^\s@,;<>"]{1,189}$/

export type ResetServices = Pick<
  PluginServices,
  'accounts' | 'environment' | 'log' | 'options' | 'rateLimits' | 'secrets'
>

/** Answers alike and as quickly whether the address belongs to somebody or not: the look and the mail follow the answer.
 *  @throws reset.email_missing, reset.no_mail, mail.too_soon */
export async function requestReset(
  services: ResetServices,
  mailer: Mailer,
  { email, language }: { email: string; language: 'en' | 'zh' },
): Promise<void> {
  if (!ADDRESS.test(email)) throw emailMissing({}, { field: 'email' })
  if (!mailer.isReady()) throw notReady()
  await pauseBetween(services.rateLimits, PURPOSE, email)
  void mailLink(services, mailer, { email, language }).catch((error: unknown) =>
    services.log.warn({ err: error }, 'a link to reset a password was not sent'),
  )
}

/** A right link sets a new password, ends all sessions and the system access token.
 *  @returns the new password. @throws reset.link_invalid */
export async function resetPassword(
  services: Pick<ResetServices, 'accounts' | 'secrets'>,
  { email, token }: { email: string; token: string },
): Promise<string> {
  const { accounts, secrets } = services
  // What was not made here never reaches the stored code: wrong tries cannot use it up for its owner.
  if (!isSealed(services, email, token)) throw linkInvalid()
  if (!(await accounts.codes.consume(PURPOSE, email, token))) throw linkInvalid()
  const user = await ownerOf(accounts, email)
  if (!user) throw linkInvalid()
  const password = secrets.random(PASSWORD_LENGTH)
  await accounts.update(user.id, { password })
  return password
}

async function mailLink(
  services: ResetServices,
  mailer: Mailer,
  { email, language }: { email: string; language: 'en' | 'zh' },
): Promise<void> {
  const { accounts, options, secrets } = services
  const user = await ownerOf(accounts, email)
  if (!user) return
  const secret = secrets.random(SECRET_LENGTH)
  const token = `${secret}${sealOf(services, email, secret)}`
  await accounts.codes.put(PURPOSE, email, token, LIFETIME_MINUTES * 60)
  const link = `${siteOf(services)}/user/reset?${new URLSearchParams({ email, token }).toString()}`
  const site = options.get<string>('SystemName')
  const words = resetMail({ username: user.username, link }, LIFETIME_MINUTES, site, language)
  await mailer.send({ to: email, ...words })
}

/** A live account with that address; a name never counts as one. */
async function ownerOf(
  accounts: PluginServices['accounts'],
  email: string,
): Promise<UserRecord | undefined> {
  const user = await accounts.findByLogin(email)
  return user?.email === email && user.status === userStatus.active ? user : undefined
}

function sealOf({ secrets }: Pick<ResetServices, 'secrets'>, email: string, secret: string) {
  return secrets.lookup('code', `reset\n${email}\n${secret}`).slice(0, SEAL_LENGTH)
}

function isSealed(services: Pick<ResetServices, 'secrets'>, email: string, token: string): boolean {
  if (token.length !== SECRET_LENGTH + SEAL_LENGTH) return false
  const seal = Buffer.from(token.slice(SECRET_LENGTH))
  const right = Buffer.from(sealOf(services, email, token.slice(0, SECRET_LENGTH)))
  return seal.length === right.length && timingSafeEqual(seal, right)
}
