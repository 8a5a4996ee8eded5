// Keeps faults in what a plugin adds from affecting anything else: what throws, rejects or hangs is logged under the
// plugin's name (`log` contains it), and the rest continues. Refusals (AppError) are passed on where the extension
// point may refuse. Jobs, log sinks and listeners are guarded where they run.
import { AppError, errorType } from '../../contract/errors.ts'
import type { BotCheck, Notifier, RateLimiter, StatusField } from '../../contract/plugin.ts'
import type {
  AuthAnswer,
  AuthProvider,
  AuthRequest,
  DirectProof,
  ProviderIdentity,
} from '../../contract/sign-in.ts'
import type { Logger } from '../../contract/services.ts'
import { holdsSecret } from '../options/hide-secrets.ts'
import { withTimeout } from '../with-timeout.ts'

const BOT_CHECK_MS = 10_000
/** Long enough for two or three calls to the provider. */
const IDENTIFY_MS = 20_000
const NOTICE_MS = 30_000
/** Short, because a call waits for it. */
const LIMITER_MS = 2_000

const botCheckFailed = errorType('bot_check.failed', 503, {
  en: 'The bot check does not answer. Try again in a moment.',
  zh: '人机验证暂时不可用，请稍后重试。',
})

const providerFailed = errorType('sign_in.provider_failed', 503, {
  en: 'The sign-in provider does not answer as it should. Try again; if it happens again, tell the administrator.',
  zh: '登录服务未正常响应，请重试；如仍出现，请告知管理员。',
})

/** Names under /api/oauth that belong to core or to other steps of signing in. */
const reservedProviders: ReadonlySet<string> = new Set([
  'state',
  'email',
  'login',
  'bind',
  'issuers',
])
const MAX_SUBJECT = 255
const MAX_ISSUER = 2048

/** A provider that fails to say whether it is on counts as off; one that fails otherwise signs nobody in.
 *  @throws if its id cannot be part of an address */
export function guardAuthProvider(entry: AuthProvider, log: Logger): AuthProvider {
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(entry.id) || reservedProviders.has(entry.id))
    throw new Error(`auth provider "${entry.id}" has an id that is no part of an address`)
  const blame = (error: unknown) =>
    log.error({ err: error, authProvider: entry.id }, 'a sign-in provider failed')
  const inTime = async <T>(name: string, work: () => T | Promise<T>): Promise<T> => {
    try {
      return await withTimeout(IDENTIFY_MS, name, Promise.resolve(work()))
    } catch (error) {
      if (error instanceof AppError) throw error
      blame(error)
      throw providerFailed({}, { cause: error })
    }
  }
  const isEnabled = () => {
    try {
      return entry.isEnabled()
    } catch (error) {
      blame(error)
      return false
    }
  }
  const sound = async (identity: ProviderIdentity | Promise<ProviderIdentity>) => {
    const found = await identity
    if (!isSoundText(found.subject, MAX_SUBJECT)) throw new TypeError('identify() gave no subject')
    if (entry.issuer && !isSoundText(found.issuer ?? entry.issuer.configured(), MAX_ISSUER))
      throw new TypeError('identify() gave no issuer')
    return found
  }
  const own = entry.issuer
  const issuer = own && {
    configured: () => own.configured(),
    current: () => inTime('issuer.current()', () => own.current?.() ?? own.configured()),
  }
  if (entry.kind === 'direct')
    return {
      ...entry,
      ...(issuer ? { issuer } : {}),
      isEnabled,
      identify: (proof: DirectProof) => inTime('identify()', () => sound(entry.identify(proof))),
    }
  return {
    ...entry,
    ...(issuer ? { issuer } : {}),
    isEnabled,
    authorizeUrl: (request: AuthRequest) =>
      inTime('authorizeUrl()', () => entry.authorizeUrl(request)),
    identify: (answer: AuthAnswer) => inTime('identify()', () => sound(entry.identify(answer))),
  }
}

function isSoundText(value: unknown, longest: number): boolean {
  const isText = typeof value === 'string' && value !== '' && !value.includes('\0')
  return isText && value.length <= longest
}

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
    isEnabled: () => {
      try {
        return entry.isEnabled()
      } catch (error) {
        blame(error)
        return false
      }
    },
    check: async (token, address) => {
      try {
        await withTimeout(BOT_CHECK_MS, 'check()', entry.check(token, address))
      } catch (error) {
        if (error instanceof AppError) throw error
        blame(error)
        throw botCheckFailed({}, { cause: error })
      }
    },
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
