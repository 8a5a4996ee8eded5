// Limits a user's model requests in a sliding window: all requests, and those that succeeded or are still running.
import { errorType, type OptionService, type RateLimiter, type RateLimitService } from '#core'

type Values = { minutes: number; count: number }

const tooMany = errorType<Values>(
  'rate_limit.requests',
  429,
  {
    en: 'You have reached the limit of requests: {count} in {minutes} min, failed ones included. Check whether your requests are correct.',
    zh: '您已达到总请求数限制：{minutes} 分钟内最多 {count} 次，包括失败的请求，请检查您的请求是否正确。',
  },
  { relay: 'rate_limit_exceeded' },
)
const tooManySuccesses = errorType<Values>(
  'rate_limit.successes',
  429,
  {
    en: 'You have reached the limit of requests: {count} in {minutes} min.',
    zh: '您已达到请求数限制：{minutes} 分钟内最多 {count} 次。',
  },
  { relay: 'rate_limit_exceeded' },
)

interface Limits {
  /** 0: no limit. */
  total: number
  success: number
  minutes: number
}

export function createRequestLimiter(deps: {
  options: Pick<OptionService, 'get'>
  rateLimits: RateLimitService
}): RateLimiter {
  const { options, rateLimits } = deps
  return {
    id: 'model-requests',
    admit({ userId, group }) {
      const limits = limitsOf(group, options)
      return limits && admit(userId, limits, rateLimits)
    },
  }
}

/** Undefined if nothing is limited. */
function limitsOf(group: string, options: Pick<OptionService, 'get'>): Limits | undefined {
  if (!options.get<boolean>('ModelRequestRateLimitEnabled')) return undefined
  const minutes = options.get<number>('ModelRequestRateLimitDurationMinutes')
  if (minutes === 0) return undefined
  const ofGroups = options.get<Record<string, [number, number]>>('ModelRequestRateLimitGroup')
  const own = Object.hasOwn(ofGroups, group) ? ofGroups[group] : undefined
  const [total, success] = own ?? [
    options.get<number>('ModelRequestRateLimitCount'),
    options.get<number>('ModelRequestRateLimitSuccessCount'),
  ]
  return { total, success, minutes }
}

/** A call counts as a success until it has failed; otherwise any number of concurrent calls would pass. Successes are
 *  counted first, so that a call refused by their limit does not use up the total. */
async function admit(
  userId: number,
  { total, success, minutes }: Limits,
  rateLimits: RateLimitService,
) {
  const seconds = minutes * 60
  const successKey = `model-requests:success:${userId}`
  const successes = await rateLimits.take(successKey, success, seconds)
  if (!successes.isAllowed)
    throw tooManySuccesses({ minutes, count: success }, retryAfter(successes.retryAfterSeconds))
  if (total > 0) {
    const begun = await rateLimits.take(`model-requests:total:${userId}`, total, seconds)
    if (!begun.isAllowed) {
      await rateLimits.giveBack(successKey, successes.place)
      throw tooMany({ minutes, count: total }, retryAfter(begun.retryAfterSeconds))
    }
  }
  return {
    done(isSuccess: boolean) {
      if (!isSuccess) void rateLimits.giveBack(successKey, successes.place)
    },
  }
}

function retryAfter(seconds: number) {
  return { headers: { 'retry-after': String(Math.max(1, seconds)) } }
}
