// As in guard-contributions.ts: a faulty sign-in provider affects only itself.
import { AppError, errorType } from '../../contract/errors.ts'
import type {
  AuthAnswer,
  AuthProvider,
  AuthRequest,
  DirectProof,
  ProviderIdentity,
} from '../../contract/sign-in.ts'
import type { Logger } from '../../contract/services.ts'
import { isWebAddress } from '../../contract/web-address.ts'
import { guardedCall, isOn } from './guarded-calls.ts'

/** Long enough for two or three calls to the provider. */
const IDENTIFY_MS = 20_000

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
  const ask = <T>(name: string, call: () => T | Promise<T>) =>
    guardedCall({ ms: IDENTIFY_MS, name, call, blame, failed: providerFailed })
  const isEnabled = () => isOn(entry, blame)
  const sound = async (identity: ProviderIdentity | Promise<ProviderIdentity>) => {
    const found = await identity
    if (!isSoundText(found.subject, MAX_SUBJECT)) throw new TypeError('identify() gave no subject')
    checkPerson(found)
    if (entry.issuer && !isSoundText(found.issuer ?? entry.issuer.configured(), MAX_ISSUER))
      throw new TypeError('identify() gave no issuer')
    return found
  }
  const own = entry.issuer
  const issuer = own && {
    configured: () => own.configured(),
    current: () => ask('issuer.current()', () => own.current?.() ?? own.configured()),
  }
  if (entry.kind === 'direct')
    return {
      ...entry,
      ...(issuer ? { issuer } : {}),
      isEnabled,
      identify: (proof: DirectProof) => ask('identify()', () => sound(entry.identify(proof))),
    }
  return {
    ...entry,
    ...(issuer ? { issuer } : {}),
    isEnabled,
    authorizeUrl: (request: AuthRequest) =>
      ask('authorizeUrl()', async () => checkedAddress(await entry.authorizeUrl(request))),
    identify: (answer: AuthAnswer) => ask('identify()', () => sound(entry.identify(answer))),
  }
}

/** The browser goes there. @throws TypeError */
function checkedAddress(url: unknown): string {
  if (typeof url === 'string' && isWebAddress(url)) return url
  throw new TypeError('authorizeUrl() gave no address that begins with https:// or http://')
}

/** @throws TypeError for what an identity may say, but does not say soundly */
function checkPerson(identity: ProviderIdentity): void {
  const { refusal } = identity
  const wrong = (['username', 'display_name', 'email'] as const).find((key) => {
    const value: unknown = identity[key]
    return value !== undefined && value !== null && typeof value !== 'string'
  })
  if (wrong !== undefined) throw new TypeError(`identify() gave a "${wrong}" that is no text`)
  if (refusal !== undefined && !(refusal instanceof AppError))
    throw new TypeError('identify() gave a "refusal" that is no AppError')
}

function isSoundText(value: unknown, longest: number): boolean {
  const isText = typeof value === 'string' && value !== '' && !value.includes('\0')
  return isText && value.length <= longest
}
