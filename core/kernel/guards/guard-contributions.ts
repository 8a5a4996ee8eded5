// Keeps faults in what a plugin adds from affecting anything else: what throws, rejects or hangs is logged under the
// plugin's name (`log` contains it), and the rest continues. Refusals (AppError) are passed on where the extension
// point may refuse. Jobs, log sinks and listeners are guarded where they run.
import { AppError, errorType } from '../../contract/errors.ts'
import type { BotCheck, Notifier, RateLimiter, StatusField } from '../../contract/plugin.ts'
import type { Logger, MailService } from '../../contract/services.ts'
import { holdsSecret } from '../options/hide-secrets.ts'
import { withTimeout } from '../with-timeout.ts'
import { guardedCall, isOn } from './guarded-calls.ts'

const BOT_CHECK_MS = 10_000
const NOTICE_MS = 30_000
/** Short, because a call waits for it. */
const LIMITER_MS = 2_000

const botCheckFailed = errorType('bot_check.failed', 503, {
  en: 'The bot check does not answer. Try again in a moment.',
  zh: '人机验证暂时不可用，请稍后重试。',
})

/** Leaves out a field with an invalid value, or with a secret of its plugin. Logged only once, because everybody
 *  requests the status.
 *  @param secrets the current ones */
export function guardStatusField(
  entry: StatusField,
  log: Logger,
  secrets: () => readonly unknown[] = () => [],
): StatusField {
  let isBlamed = false
  return {
    id: entry.id,
    value: () => {
      try {
        const value = entry.value()
        if (value instanceof Promise) {
          value.catch(() => undefined)
          throw new TypeError('value() gave a promise')
        }
        return plainStatus(value, secrets())
      } catch (error) {
        if (!isBlamed) log.error({ err: error, field: entry.id }, 'a status field failed')
        isBlamed = true
        return undefined
      }
    },
  }
}

/** Limited, because every visitor gets it with every page. */
const MAX_STATUS_LETTERS = 262_144

/** Returns the copy that was checked, because a getter that is called again may throw. */
function plainStatus(value: unknown, secrets: readonly unknown[]): unknown {
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'string') {
      checkStatusSize(value)
      refuseSecrets(value, secrets)
    } else if (typeof value === 'bigint')
      throw new TypeError('value() gave a bigint, which JSON has no word for')
    return value
  }
  const text = JSON.stringify(value)
  checkStatusSize(text)
  return JSON.parse(text, (name, part: unknown) => {
    refuseSecrets(name, secrets)
    if (typeof part === 'string') refuseSecrets(part, secrets)
    return part
  }) as unknown
}

/** Refused instead of redacted, because a redacted value would be useless. */
function refuseSecrets(text: string, secrets: readonly unknown[]): void {
  if (secrets.length > 0 && holdsSecret(secrets, text))
    throw new Error('value() gave a secret option of its plugin')
}

function checkStatusSize({ length }: string): void {
  if (length > MAX_STATUS_LETTERS)
    throw new RangeError(`value() gave ${length} letters, more than ${MAX_STATUS_LETTERS}`)
}

/** A check that fails to say whether it is on counts as off; one that is on and fails lets nobody pass. */
export function guardBotCheck(entry: BotCheck, log: Logger): BotCheck {
  const blame = (error: unknown) =>
    log.error({ err: error, botCheck: entry.id }, 'a bot check failed')
  return {
    id: entry.id,
    isEnabled: () => isOn(entry, blame),
    check: (token, address) =>
      guardedCall({
        ms: BOT_CHECK_MS,
        name: 'check()',
        call: () => entry.check(token, address),
        blame,
        failed: botCheckFailed,
      }),
  }
}

/** Also throws, so that the sender knows that the notice was not delivered. */
export function guardNotifier(entry: Notifier, log: Logger): Notifier {
  return {
    id: entry.id,
    ...(entry.name ? { name: entry.name } : {}),
    send: async (message) => {
      try {
        await withTimeout(NOTICE_MS, 'send()', entry.send(message))
      } catch (error) {
        log.error({ err: error, notifier: entry.id }, 'a notifier failed')
        throw error
      }
    },
  }
}

type MailTransport = Parameters<MailService['use']>[0]

/** Who asked for the mail waits for it, with a page that does not answer meanwhile. */
const MAIL_MS = 60_000

const mailFailed = errorType('mail.failed', 503, {
  en: 'The mail could not be sent. Try again; if it happens again, tell the administrator.',
  zh: '邮件发送失败，请重试；如仍出现，请告知管理员。',
})

/** One that fails or is late sends nothing, and whoever asked for the mail hears of it. */
export function guardMail(transport: MailTransport, log: Logger): MailTransport {
  return async (message) => {
    try {
      await withTimeout(MAIL_MS, 'the sending of a mail', (async () => transport(message))())
    } catch (error) {
      if (error instanceof AppError) throw error
      log.error({ err: error }, 'a mail transport failed')
      throw mailFailed({}, { cause: error })
    }
  }
}

/** A limiter that fails limits nothing, because calls must not fail with it. */
export function guardRateLimiter(entry: RateLimiter, log: Logger): RateLimiter {
  const blame = (error: unknown): undefined => {
    if (error instanceof AppError) throw error
    log.error({ err: error, rateLimiter: entry.id }, 'a rate limiter failed')
  }
  const done = (taken: { done(isSuccess: boolean): void }) => ({
    done: (isSuccess: boolean) => {
      try {
        taken.done(isSuccess)
      } catch (error) {
        log.error({ err: error, rateLimiter: entry.id }, 'a rate limiter failed')
      }
    },
  })
  const inTime = async (admitting: NonNullable<ReturnType<RateLimiter['admit']>>) => {
    try {
      const taken = await withTimeout(LIMITER_MS, 'admit()', admitting)
      return taken ? done(taken) : undefined
    } catch (error) {
      return blame(error)
    }
  }
  return {
    id: entry.id,
    admit: (caller) => {
      try {
        const admitting = entry.admit(caller)
        return admitting && inTime(admitting)
      } catch (error) {
        return blame(error)
      }
    },
  }
}
