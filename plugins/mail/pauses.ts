import { clientNetwork, errorType, type RateLimitService } from '#core'

const tooSoon = errorType<{ seconds: number }>('mail.too_soon', 429, {
  en: 'A mail has just been sent to this address. Ask for another in {seconds} s.',
  zh: '刚刚已向该地址发送邮件，请在 {seconds} 秒后重试。',
})

const enoughToday = errorType<{ hours: number }>('mail.enough_today', 429, {
  en: 'Enough mails have been sent to this address for today. Ask for another in {hours} h, or use the newest code while it is valid.',
  zh: '今天向该地址发送的邮件已达上限，请在 {hours} 小时后重试，或在有效期内使用最新的验证码。',
})

const PAUSE_SECONDS = 30
/** How many mails with one code or link an address may get in a window: requested from one network, and from all
 *  networks. More would only fill the mailbox. */
const MOST_OF_NETWORK = 3
const MOST_OF_ALL = 8
const WINDOW_SECONDS = 20 * 60
/** The same for mails with short codes in a day. Each code is another chance to guess, and a stranger who waits until it has expired gets the
 *  next one mailed. It takes three networks to use up what an address gets. */
const MOST_OF_NETWORK_A_DAY = 20
const MOST_OF_ALL_A_DAY = 60
const DAY_SECONDS = 86_400

/** A request for a mail. */
export interface Asking {
  purpose: string
  email: string
  /** The client's address. */
  address: string
}

/** Limits by network, so that nobody can make others wait. Counts every address alike, whether or not it belongs to an
 *  account.
 *  @throws mail.too_soon */
export async function pauseOfNetwork(
  rateLimits: RateLimitService,
  { purpose, email, address }: Asking,
): Promise<void> {
  const key = `mail:${purpose}:pause:${email}@${clientNetwork(address)}`
  const { isAllowed, retryAfterSeconds } = await rateLimits.take(key, 1, PAUSE_SECONDS)
  if (isAllowed) return
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds))
  throw tooSoon({ seconds }, { headers: { 'retry-after': String(seconds) } })
}

/** Whether a code or link that is still valid may be mailed again. */
export async function mayRepeat(
  rateLimits: RateLimitService,
  { purpose, email, address }: Asking,
): Promise<boolean> {
  const limits = [
    [`mail:${purpose}:again:${email}@${clientNetwork(address)}`, MOST_OF_NETWORK],
    [`mail:${purpose}:again:${email}`, MOST_OF_ALL],
  ] as const
  for (const [key, limit] of limits) {
    if (!(await rateLimits.take(key, limit, WINDOW_SECONDS)).isAllowed) return false
  }
  return true
}

/** Before a code is made, since one that is not mailed would be the one that counts. @throws mail.enough_today */
export async function requireRoomToday(
  rateLimits: RateLimitService,
  asking: Asking,
): Promise<void> {
  for (const [key, limit] of limitsOfDay(asking)) {
    const { isAllowed, retryAfterSeconds } = await rateLimits.peek(key, limit, DAY_SECONDS)
    if (isAllowed) continue
    const seconds = Math.max(1, Math.ceil(retryAfterSeconds))
    const hours = Math.ceil(seconds / 3600)
    throw enoughToday({ hours }, { headers: { 'retry-after': String(seconds) } })
  }
}

/** Counts a mail that is sent. */
export async function countToday(rateLimits: RateLimitService, asking: Asking): Promise<void> {
  for (const [key, limit] of limitsOfDay(asking)) await rateLimits.take(key, limit, DAY_SECONDS)
}

function limitsOfDay({ purpose, email, address }: Asking) {
  return [
    [`mail:${purpose}:day:${email}@${clientNetwork(address)}`, MOST_OF_NETWORK_A_DAY],
    [`mail:${purpose}:day:${email}`, MOST_OF_ALL_A_DAY],
  ] as const
}
