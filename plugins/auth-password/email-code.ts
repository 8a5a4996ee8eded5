import { errorType, type PluginServices } from '#core'

/** Purpose of e-mail verification codes. */
const VERIFICATION = 'v'

const codeWrong = errorType('register.code_wrong', 400, {
  en: 'The verification code is wrong or has expired.',
  zh: '验证码错误或已过期。',
})

/** Uses up the code that was mailed to the address. @throws register.code_wrong, guesses.too_many */
export async function useEmailCode(
  { accounts, guesses }: Pick<PluginServices, 'accounts' | 'guesses'>,
  { email, code, address }: { email: string; code: string; address: string },
): Promise<void> {
  const guess = { kind: 'email-code', subject: email, address }
  const check = async () => (await accounts.codes.consume(VERIFICATION, email, code)) || undefined
  if (!(await guesses.judge(guess, check))) throw codeWrong({}, { field: 'verification_code' })
}
