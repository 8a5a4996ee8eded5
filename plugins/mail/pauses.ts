import { errorType, type RateLimitService } from '#core'

const tooSoon = errorType<{ seconds: number }>('mail.too_soon', 429, {
  en: 'A mail has just been sent to this address. Ask for another in {seconds} s.',
  zh: '刚刚已向该地址发送邮件，请在 {seconds} 秒后重试。',
})

const PAUSE_SECONDS = 30
/** More would only fill somebody's mailbox; the last one stays valid meanwhile. */
const MOST = 5
const WINDOW_SECONDS = 20 * 60

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
    const seconds = Math.max(1, Math.ceil(retryAfterSeconds))
    throw tooSoon({ seconds }, { headers: { 'retry-after': String(seconds) } })
  }
}
