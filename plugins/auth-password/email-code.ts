import { errorType, type PluginServices } from '#core'

/** Purpose of e-mail verification codes. */
const VERIFICATION = 'v'
const LIFETIME_SECONDS = 10 * 60

/** Wrong codes that all networks together may try at one address: fifty networks at once had one right within a fortnight. */
const MOST_GUESSES_A_DAY = 100

const codeWrong = errorType('register.code_wrong', 400, {
  en: 'The verification code is wrong or has expired.',
  zh: '验证码错误或已过期。',
})

/** Uses up the code that was mailed to the address. @throws register.code_wrong, guesses.too_many */
export async function useEmailCode(
  { accounts, guesses }: Pick<PluginServices, 'accounts' | 'guesses'>,
  { email, code, address }: { email: string; code: string; address: string },
): Promise<void> {
  const guess = { kind: 'email-code', subject: email, address, mostADay: MOST_GUESSES_A_DAY }
  const check = async () => (await accounts.codes.consume(VERIFICATION, email, code)) || undefined
  if (!(await guesses.judge(guess, check))) throw codeWrong({}, { field: 'verification_code' })
}

/** Restores a code that was used for an account that could not be created. */
export async function returnEmailCode(
  { accounts }: Pick<PluginServices, 'accounts'>,
  { email, code }: { email: string; code: string },
): Promise<void> {
  await accounts.codes.put(VERIFICATION, email, code, LIFETIME_SECONDS)
}
