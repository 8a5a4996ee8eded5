import { errorType, optionOr, type PluginServices, type UserRecord } from '#core'
import { returnEmailCode, useEmailCode } from './email-code.ts'
import type { RegisterBody } from './schema.ts'

const notSetUp = errorType('register.not_set_up', 403, {
  en: 'This system is not initialized yet. Its operator has to do that first.',
  zh: '系统尚未初始化，请等待管理员完成初始化。',
})
const registrationOff = errorType('register.off', 403, {
  en: 'Registration is switched off.',
  zh: '管理员已关闭新用户注册。',
})
const passwordRegistrationOff = errorType('register.password_off', 403, {
  en: 'Registration by password is switched off.',
  zh: '管理员已关闭密码注册。',
})
const passwordsDiffer = errorType('register.passwords_differ', 400, {
  en: 'The two passwords do not match.',
  zh: '两次输入的密码不一致。',
})
const emailMissing = errorType('register.email_missing', 400, {
  en: 'Enter the e-mail address and the verification code.',
  zh: '请输入邮箱地址和验证码。',
})
const emailTooLong = errorType<{ max: number }>('register.email_too_long', 400, {
  en: 'The e-mail address must have at most {max} characters.',
  zh: '邮箱地址最多 {max} 个字符。',
})

const MAX_EMAIL = 50
const FIRST_TOKEN_UNITS = 500_000

export type RegisterServices = Pick<
  PluginServices,
  'accounts' | 'environment' | 'guesses' | 'log' | 'options' | 'tokens'
>

/** @throws register.not_set_up, register.off, register.password_off */
export async function checkOpen({
  accounts,
  options,
}: Pick<RegisterServices, 'accounts' | 'options'>): Promise<void> {
  // A visitor who came first could take the name that the operator will choose.
  if (!(await accounts.rootExists())) throw notSetUp()
  if (!options.get<boolean>('RegisterEnabled')) throw registrationOff()
  if (!options.get<boolean>('PasswordRegisterEnabled')) throw passwordRegistrationOff()
}

/** Creates the account with its gifts; does not sign it in. @throws register.*, account.* */
export async function register(
  services: RegisterServices,
  body: RegisterBody,
  { address, language }: { address: string; language: 'en' | 'zh' },
): Promise<void> {
  const { accounts } = services
  const username = body.username ?? ''
  const password = body.password ?? ''
  accounts.checkCredentials({ username, password })
  // Older clients send only one password.
  if (typeof body.password2 === 'string' && body.password2 !== password) {
    throw passwordsDiffer({}, { field: 'password2' })
  }
  const email = await verifiedEmail(services, body, address)
  const inviter = body.aff_code ? await accounts.findByAffCode(body.aff_code) : undefined
  try {
    const user = await accounts.create({
      username,
      password,
      by: 'password',
      language,
      ...(email === undefined ? {} : { email }),
      ...(inviter ? { inviter_id: inviter.id } : {}),
    })
    await giveFirstToken(services, user)
  } catch (error) {
    // If the name is taken, the code is returned: whoever then chooses another name has already proved the address.
    if (email !== undefined)
      await returnEmailCode(services, { email, code: (body.verification_code ?? '').trim() })
    throw error
  }
}

/** The verified address; undefined if addresses are not verified here. */
async function verifiedEmail(
  { accounts, guesses, options }: RegisterServices,
  body: RegisterBody,
  address: string,
): Promise<string | undefined> {
  // The option belongs to the mail plugin; without that plugin nobody could get a code.
  if (!optionOr(options, 'EmailVerificationEnabled', false)) return undefined
  const email = accounts.emailForm(body.email ?? '')
  const code = (body.verification_code ?? '').trim()
  if (email === '' || code === '') throw emailMissing({}, { field: 'email' })
  if (email.length > MAX_EMAIL) throw emailTooLong({ max: MAX_EMAIL }, { field: 'email' })
  accounts.checkEmail(email)
  await useEmailCode({ accounts, guesses }, { email, code, address })
  return email
}

/** GENERATE_DEFAULT_TOKEN: creates a first API token. If that fails, the account stays and the error is only logged. */
async function giveFirstToken(
  { environment, log, tokens }: RegisterServices,
  user: UserRecord,
): Promise<void> {
  if (!/^(true|1)$/i.test(environment.read('GENERATE_DEFAULT_TOKEN') ?? '')) return
  try {
    await tokens.create(user.id, {
      name: `${user.username} token`.slice(0, 30),
      unlimited_quota: true,
      expired_time: -1,
      remain_quota: FIRST_TOKEN_UNITS,
    })
  } catch (error) {
    log.error({ err: error, userId: user.id }, 'the first token of a new account was not made')
  }
}
