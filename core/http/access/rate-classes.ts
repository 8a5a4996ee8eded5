import { errorType } from '../../contract/errors.ts'
import type { RateLimitService } from '../../contract/services.ts'
import { clientNetwork } from '../../net/addresses/client-network.ts'

/** Limits by client address. */
export type RateClassName = 'global-api' | 'global-web' | 'critical'

export interface RateClassSettings {
  isEnabled: boolean
  limit: number
  windowSeconds: number
}

export interface RateClasses {
  /** Counts the request. @throws rate.exceeded */
  admit(name: RateClassName, address: string): Promise<void>
}

const rateExceeded = errorType<{ seconds: number }>('rate.exceeded', 429, {
  en: 'Too many requests. Try again in {seconds} s.',
  zh: '请求过于频繁，请在 {seconds} 秒后重试。',
})

/** Codes of the keys in the store. */
const CODES: Record<RateClassName, string> = {
  'global-api': 'GA',
  'global-web': 'GW',
  critical: 'CT',
}

export function createRateClasses({
  rateLimits,
  settings,
}: {
  rateLimits: RateLimitService
  settings: Readonly<Record<RateClassName, RateClassSettings>>
}): RateClasses {
  return {
    async admit(name, address) {
      const { isEnabled, limit, windowSeconds } = settings[name]
      if (!isEnabled) return
      const key = `${CODES[name]}:${clientNetwork(address)}`
      const { isAllowed, retryAfterSeconds } = await rateLimits.take(key, limit, windowSeconds)
      if (isAllowed) return
      throw rateExceeded(
        { seconds: retryAfterSeconds },
        { headers: { 'retry-after': String(retryAfterSeconds) } },
      )
    },
  }
}
