import { role, userStatus } from '../../contract/constants.ts'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onResponseHookHandler,
  onSendHookHandler,
  preHandlerHookHandler,
  RouteOptions,
} from 'fastify'
import type { Transaction } from 'sequelize'
import { errorType } from '../../contract/errors.ts'
import type { Access, Caller } from '../../contract/http.ts'
import type { BotCheck } from '../../contract/plugin.ts'
import { roleTooLow, signInRequired } from '../../accounts/account-errors.ts'
import type { CallerRow, Callers } from '../../accounts/callers.ts'
import type { Sessions } from '../../accounts/sessions.ts'
import { admittedCall } from '../../data/admission.ts'
import { passBotChecks } from './bot-checks.ts'
import { requireProof } from './proof.ts'
import { clientAddressOf, languageOf } from '../client-info.ts'
import { refuseInDemo } from './demo-site.ts'
import type { RateClasses } from './rate-classes.ts'
import { refuseForeignLinks, refuseOtherSites } from './same-site.ts'
import { openSession } from './session.ts'

export interface GuardDeps {
  sessions: Sessions
  callers: Callers
  rateClasses: RateClasses
  /** The bot checks that plugins of this generation add. */
  botChecks: () => readonly BotCheck[]
  /** OPTION_MIN_ROLE. */
  optionMinRole: number
  /** The option ServerAddress: requests from pages there count as our own. */
  serverAddress: () => string
  /** The option DemoSiteEnabled. */
  isDemo: () => boolean
  /** Whether this admin must set up a second factor first. */
  lacksFactor: (caller: Caller) => Promise<boolean>
  /** See holdCaller. */
  hold: (caller: Caller, transaction: Transaction, minimumRole: number) => Promise<void>
}

const tokenUnknown = errorType('auth.token_unknown', 401, {
  en: 'This access token is not valid.',
  zh: '访问令牌无效。',
})
const userHeaderMissing = errorType('auth.user_header_missing', 401, {
  en: 'The header New-Api-User is missing.',
  zh: '缺少请求头 New-Api-User。',
})
const userHeaderMalformed = errorType('auth.user_header_malformed', 401, {
  en: 'The header New-Api-User must be a whole number.',
  zh: '请求头 New-Api-User 必须是整数。',
})
const userHeaderMismatch = errorType('auth.user_header_mismatch', 401, {
  en: 'The header New-Api-User does not match the signed-in user.',
  zh: '请求头 New-Api-User 与登录用户不一致。',
})
const callerBanned = errorType('access.banned', 403, {
  en: 'This account has been banned.',
  zh: '该用户已被封禁。',
})
const accountInvalid = errorType('access.account_invalid', 403, {
  en: 'This account record is not valid. Contact the administrator.',
  zh: '用户信息无效，请联系管理员。',
})

const factorRequired = errorType('auth.factor_required', 403, {
  en: 'Admins of this site need a second factor. Set up an authenticator or a passkey first.',
  zh: '本站要求管理员启用两步验证，请先设置验证器或通行密钥。',
})

const ACCESS_LEVELS: ReadonlySet<string> = new Set<Access>([
  'public',
  'try-user',
  'session',
  'user',
  'admin',
  'root',
  'options',
])
const ROLES: ReadonlySet<number> = new Set(Object.values(role))

/** Makes every route under /api state its access, and enforces it. Call it before any route is added, because Fastify
 *  calls `onRoute` only for later routes. */
export function registerGuards(app: FastifyInstance, deps: GuardDeps): void {
  app.decorateRequest('caller', null)
  app.decorateRequest('language', 'en')
  app.decorateRequest('clientAddress', '')
  // Declared without a value: each request sets its own.
  app.decorateRequest('session')
  app.addHook('onRoute', (route) => {
    refuseRouteWithoutAccess(route.url, String(route.method), route.config?.access)
    holdWriters(route, deps)
  })
  app.addHook('onRequest', (request, reply, done) => {
    request.language = languageOf(request.headers['accept-language'])
    request.clientAddress = clientAddressOf(request)
    const { access, rate } = request.routeOptions.config ?? {}
    // Nothing to check, e.g. for relay routes; returns without creating a promise on their hot path.
    if (access === undefined && (rate === undefined || rate === 'none')) return done()
    guard(request, reply, deps).then(() => done(), done)
  })
}

/** Repeats the access check inside each transaction of the request (see holdCaller), in case the access has ended
 *  meanwhile. Only on routes with restricted access, and not for calls of models (the playground's): those are sent and
 *  paid for once admitted. */
function holdWriters(route: RouteOptions, deps: GuardDeps): void {
  const { access, relay } = route.config ?? {}
  if (access === undefined || access === 'public' || access === 'try-user' || relay) return
  const minimum = access === 'session' ? role.user : minimumRole(access, deps.optionMinRole)
  const ends = new WeakMap<FastifyRequest, () => void>()
  const hold: preHandlerHookHandler = (request, _reply, done) => {
    const { caller } = request
    if (caller === null) return done()
    const admission = (transaction: Transaction) => deps.hold(caller, transaction, minimum)
    const admitted = admittedCall(admission)
    ends.set(request, admitted.end)
    admitted.run(done)
  }
  const release: onSendHookHandler = (request, _reply, _payload, done) => {
    ends.get(request)?.()
    done()
  }
  // For answers that the route writes by itself.
  const releaseLate: onResponseHookHandler = (request, _reply, done) => {
    ends.get(request)?.()
    done()
  }
  route.preHandler = [hold, ...[route.preHandler ?? []].flat()]
  route.onSend = [release, ...[route.onSend ?? []].flat()]
  route.onResponse = [releaseLate, ...[route.onResponse ?? []].flat()]
}

/** @throws if a route under /api does not state who may call it, so that the gateway does not start */
function refuseRouteWithoutAccess(url: string, method: string, access: string | undefined): void {
  if (access !== undefined && ACCESS_LEVELS.has(access)) return
  if (access === undefined && url !== '/api' && !url.startsWith('/api/')) return
  throw new Error(`The route ${method} ${url} does not state its access (config.access).`)
}

async function guard(request: FastifyRequest, reply: FastifyReply, deps: GuardDeps): Promise<void> {
  const { access, rate, botCheck, fromOwnPages, ...config } = request.routeOptions.config
  const { rateClasses } = deps
  if (access !== undefined || rate === 'global-api') {
    await rateClasses.admit('global-api', request.clientAddress)
  }
  if (rate === 'global-web' || rate === 'critical') {
    await rateClasses.admit(rate, request.clientAddress)
  }
  if (access === undefined) return
  reply.header('cache-control', 'no-store')
  if (!config.takesForms && !config.takesBytes) refuseOtherSites(request, deps.serverAddress())
  if (fromOwnPages) refuseForeignLinks(request, deps.serverAddress())
  request.session = await openSession(request, reply, deps.sessions)
  request.caller = await callerFor(access, request, deps)
  if (deps.isDemo()) refuseInDemo(request)
  if (request.caller && access !== 'try-user' && !config.beforeFactor) {
    if (await deps.lacksFactor(request.caller)) throw factorRequired()
  }
  if (config.needsProof) requireProof(request)
  if (botCheck) await passBotChecks(request, deps.botChecks(), deps.callers)
}

async function callerFor(
  access: Access,
  request: FastifyRequest,
  deps: GuardDeps,
): Promise<Caller | null> {
  if (access === 'public') return null
  const bySession = await sessionCaller(request, deps.callers)
  if (access === 'try-user') return bySession
  if (access === 'session') {
    if (!bySession) throw signInRequired()
    checkRecord(bySession, role.user)
    return bySession
  }
  const caller = bySession ?? (await tokenCaller(request, deps.callers))
  checkUserHeader(request, caller.id)
  if (caller.status !== userStatus.active) throw callerBanned()
  checkRecord(caller, minimumRole(access, deps.optionMinRole))
  return caller
}

/** Null also for banned and deleted users, even if a session of theirs still exists. */
async function sessionCaller(request: FastifyRequest, callers: Callers): Promise<Caller | null> {
  const { userId } = request.session
  const user = userId === null ? undefined : await callers.byId(userId)
  if (user?.status !== userStatus.active) return null
  return toCaller(user, { by: 'session', credential: request.session.id ?? '' })
}

async function tokenCaller(request: FastifyRequest, callers: Callers): Promise<Caller> {
  const token = (request.headers.authorization ?? '').replace(/^Bearer\s+/i, '').trim()
  if (token === '') throw signInRequired()
  const user = await callers.byAccessToken(token)
  if (!user) throw tokenUnknown()
  return toCaller(user, { by: 'access-token', credential: user.access_token ?? '' })
}

function toCaller(user: CallerRow, shown: Pick<Caller, 'by' | 'credential'>): Caller {
  const { id, username, role, status, group } = user
  return { id, username, role, status, group, ...shown }
}

/** Pages of other sites cannot set this header. It also guards GET routes that have side effects. */
function checkUserHeader(request: FastifyRequest, callerId: number): void {
  const header = request.headers['new-api-user']
  if (header === undefined || header === '') throw userHeaderMissing()
  if (typeof header !== 'string' || !/^-?\d+$/.test(header.trim())) throw userHeaderMalformed()
  if (Number(header) !== callerId) throw userHeaderMismatch()
}

function minimumRole(access: Access, optionMinRole: number): number {
  if (access === 'options') return optionMinRole
  if (access === 'root') return role.root
  return access === 'admin' ? role.admin : role.user
}

function checkRecord(caller: Caller, minimum: number): void {
  if (caller.role < minimum) throw roleTooLow()
  if (caller.username.trim() === '' || !ROLES.has(caller.role)) throw accountInvalid()
}
