import { clientNetwork, errorType, type RateLimitService } from '#core'

const tooSoon = errorType<{ seconds: number }>('mail.too_soon', 429, {
  en: 'A mail has just been sent to this address. Ask for another in {seconds} s.',
  zh: '刚刚已向该地址发送邮件，请在 {seconds} 秒后重试。',
})

const codeStands = errorType('mail.code_stands', 429, {
  en: 'Enough mails have just been sent to this address. Enter the code of the newest one (look among the spam, too): it is valid for another ten minutes.',
  zh: '已向该地址发送过多封邮件，请使用最新一封邮件中的验证码（也请检查垃圾邮件），其有效期已延长十分钟。',
})

const PAUSE_SECONDS = 30
/** More would only fill somebody's mailbox; the last one stays valid meanwhile. */
const MOST = 5
const WINDOW_SECONDS = 20 * 60

/** Mails with one code to an address in a window: asked for from one network, and from all. */
const MOST_OF_NETWORK = 3
const MOST_OF_CODE = 8

/** Whoever asks is known by his network, so that nobody makes another wait. @throws mail.too_soon */
export async function pauseOfNetwork(
  rateLimits: RateLimitService,
  email: string,
  address: string,
): Promise<void> {
  const key = `mail:pause:${email}@${clientNetwork(address)}`
  const { isAllowed, retryAfterSeconds } = await rateLimits.take(key, 1, PAUSE_SECONDS)
  if (!isAllowed) throw again(retryAfterSeconds)
}

/** For a code that stands in an earlier mail: it still opens, so a further mail may be refused. @throws mail.code_stands */
export async function boundRepeats(
  rateLimits: RateLimitService,
  email: string,
  address: string,
): Promise<void> {
  const limits = [
    [`mail:code:${email}@${clientNetwork(address)}`, MOST_OF_NETWORK],
    [`mail:code:${email}`, MOST_OF_CODE],
  ] as const
  for (const [key, limit] of limits) {
    if (!(await rateLimits.take(key, limit, WINDOW_SECONDS)).isAllowed) throw codeStands()
  }
}

/** Counted for every address alike, whoever it belongs to. @throws mail.too_soon */
export async function pauseBetween(
  rateLimits: RateLimitService,
  purpose: string,
  email: string,
): Promise<void> {
  const limits = [
    [`mail:${purpose}:pause:${email}`, 1, PAUSE_SECONDS],
    [`mail:${purpose}:all:${email}`, MOST, WINDOW_SECONDS],
  ] as const
  for (const [key, limit, windowSeconds] of limits) {
    const { isAllowed, retryAfterSeconds } = await rateLimits.take(key, limit, windowSeconds)
    if (isAllowed) continue
    throw again(retryAfterSeconds)
  }
}

function again(retryAfterSeconds: number) {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds))
  return tooSoon({ seconds }, { headers: { 'retry-after': String(seconds) } })
}
