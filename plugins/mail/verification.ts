import { errorType, type PluginServices } from '#core'
import { incomplete, type Mailer } from './mailer.ts'
import { countToday, mayRepeat, pauseOfNetwork, requireRoomToday } from './pauses.ts'
import { codeMail } from './templates.ts'

const taken = errorType('mail.address_taken', 409, {
  en: 'This e-mail address is already in use.',
  zh: '该邮箱地址已被占用。',
})

const codeStands = errorType('mail.code_stands', 429, {
  en: 'Enough mails have just been sent to this address. Enter the code of the newest one (look among the spam, too): it is valid for another ten minutes.',
  zh: '已向该地址发送过多封邮件，请使用最新一封邮件中的验证码（也请检查垃圾邮件），其有效期已延长十分钟。',
})

/** The purpose under which registration and binding check the code. */
const PURPOSE = 'v'
const LIFETIME_MINUTES = 10
const DIGITS = 6

/** Mails a code that proves access to the mailbox, for registration and for binding. While it is valid, further
 *  requests mail the same code and prolong it, so strangers who request codes or guess cannot lock the owner out: the
 *  newest mail always contains a code that works, and an expired code is followed by a new one, until the day's mails are used up.
 *  @throws account.*, mail.address_taken, mail.too_soon, mail.enough_today, mail.code_stands, mail.incomplete, mail.failed */
export async function sendVerificationCode(
  services: Pick<PluginServices, 'accounts' | 'options' | 'rateLimits' | 'secrets'>,
  mailer: Mailer,
  {
    email,
    language,
    address,
  }: { email: string; language: 'en' | 'zh' /** The client's. */; address: string },
): Promise<void> {
  const { accounts, options, rateLimits, secrets } = services
  accounts.checkEmail(email)
  if (await accounts.isEmailTaken(email)) throw taken({}, { field: 'email' })
  if (!mailer.isReady()) throw incomplete()
  const asking = { purpose: PURPOSE, email, address }
  await pauseOfNetwork(rateLimits, asking)
  await requireRoomToday(rateLimits, asking)
  const fresh = secrets.random(DIGITS, '0123456789')
  const { code, isFresh } = await accounts.codes.keep(PURPOSE, email, fresh, LIFETIME_MINUTES * 60)
  if (!isFresh && !(await mayRepeat(rateLimits, asking))) throw codeStands()
  await countToday(rateLimits, asking)
  const words = codeMail(code, LIFETIME_MINUTES, options.get<string>('SystemName'), language)
  try {
    await mailer.send({ to: email, ...words })
  } catch (error) {
    // The next mail must not refer to a code that could not be mailed.
    if (isFresh) await accounts.codes.consume(PURPOSE, email, code)
    throw error
  }
}
