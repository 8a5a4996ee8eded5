import { clientNetwork, errorType, type RateLimitService } from '#core'

const tooSoon = errorType<{ seconds: number }>('mail.too_soon', 429, {
  en: 'A mail has just been sent to this address. Ask for another in {seconds} s.',
  zh: '刚刚已向该地址发送邮件，请在 {seconds} 秒后重试。',
})

const PAUSE_SECONDS = 30
/** Mails with one code or link to an address in a window: asked for from one network, and from all. More would only fill the mailbox. */
const MOST_OF_NETWORK = 3
const MOST_OF_ALL = 8
const WINDOW_SECONDS = 20 * 60

/** Somebody who asks for a mail. */
export interface Asking {
  purpose: string
  email: string
  /** The client's. */
  address: string
}

/** Whoever asks is known by his network, so that nobody makes another wait. Counted for every address alike, whoever it belongs to.
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

/** Whether what stands in an earlier mail, and still opens, is mailed again. */
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
