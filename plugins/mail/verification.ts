import { errorType, type PluginServices } from '#core'
import type { Mailer } from './mailer.ts'
import { pauseBetween } from './pauses.ts'
import { codeMail } from './templates.ts'

const taken = errorType('mail.address_taken', 409, {
  en: 'This e-mail address is already in use.',
  zh: '该邮箱地址已被占用。',
})

/** The purpose under which registration and binding use the code up. */
const PURPOSE = 'v'
const LIFETIME_MINUTES = 10
const DIGITS = 6

/** Mails a code that proves who reads the mailbox; for registration and for binding.
 *  @throws account.*, mail.address_taken, mail.too_soon, mail.incomplete, mail.failed */
export async function sendVerificationCode(
  services: Pick<PluginServices, 'accounts' | 'options' | 'rateLimits' | 'secrets'>,
  mailer: Mailer,
  { email, language }: { email: string; language: 'en' | 'zh' },
): Promise<void> {
  const { accounts, options, rateLimits, secrets } = services
  accounts.checkEmail(email)
  if (await isTaken(accounts, email)) throw taken({}, { field: 'email' })
  await pauseBetween(rateLimits, PURPOSE, email)
  const code = secrets.random(DIGITS, '0123456789')
  await accounts.codes.put(PURPOSE, email, code, LIFETIME_MINUTES * 60)
  const words = codeMail(code, LIFETIME_MINUTES, options.get<string>('SystemName'), language)
  await mailer.send({ to: email, ...words })
}

/** Deregistered accounts keep their address. */
async function isTaken(accounts: PluginServices['accounts'], email: string): Promise<boolean> {
  const query = { keyword: email, group: '' }
  const { items } = await accounts.search(query, { page: 1, pageSize: 100 })
  return items.some((user) => user.email === email)
}
