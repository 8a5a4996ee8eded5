import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Transaction } from 'sequelize'

/** Who may call a route. Every route under /api states it; a route without one fails the start.
 *  `session`: a signed-in cookie session, no New-Api-User header. `options`: OPTION_MIN_ROLE (10). */
export type Access = 'public' | 'try-user' | 'session' | 'user' | 'admin' | 'root' | 'options'

/** Address rate-limit class. Routes under /api count as global-api anyway, `critical` beside it;
 *  other routes count only when they name a class. */
export type RateClass = 'critical' | 'global-api' | 'global-web' | 'none'

export interface Caller {
  id: number
  username: string
  role: number
  status: number
  group: string
  /** How the caller was recognised. */
  by: 'session' | 'access-token'
  /** What was shown, as it is stored: the id of the session, or the HMAC of the access token. Safe to hand around. */
  credential: string
}

/** By what somebody was let in. */
export type Standing = Pick<Caller, 'id' | 'by' | 'credential'>

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    rate?: RateClass
    botCheck?: boolean
    /** On a demo site only the super admin changes anything, which is what the method says. `open`: reads by POST, or signs in.
     *  `closed`: changes something by GET. `sign-in`: a GET that signs a visitor in and binds whoever is signed in. */
    demo?: 'open' | 'closed' | 'sign-in'
    /** Signs in or binds by GET without a state: only pages of this site and programs may call it, no link of another page or mail. */
    fromOwnPages?: boolean
    /** Takes forms beside JSON and is called from other sites: a payment provider's notice. Such a route recognises its caller itself. */
    takesForms?: boolean
    /** Gets its body as the bytes that came, for a signature over them, whatever their type, and is called from other sites: the notice
     *  of a payment provider. Such a route recognises its caller itself. */
    takesBytes?: boolean
    /** Gets its body as the bytes of a file, of core only. Who may call it is as with any other route. */
    takesFile?: boolean
    /** Changes how the account is got into, or shows a secret: only a session that has lately shown who sits there may call it, and no system
     *  access token (`auth.proof_needed`). Signing in counts, and so does what `POST /api/verify` takes. */
    needsProof?: boolean
    /** Open to admins who must have a second factor and have none yet: what setting one up needs. */
    beforeFactor?: boolean
    /** The plugin that brought the route; filled by the host. */
    owner?: string
    /** The first part of the address is a parameter; filled by the host. */
    hasOpenStart?: boolean
  }
  interface FastifyRequest {
    /** Set by the guard on routes with access try-user (maybe null), session, user, admin, root, options. */
    caller: Caller | null
    /** zh or en by Accept-Language, default en. */
    language: 'en' | 'zh'
    /** The client's address, proxies of TRUSTED_PROXIES taken into account. */
    clientAddress: string
    session: SessionHandle
  }
}

/** The session row behind the cookie; made on first write. */
export interface SessionHandle {
  readonly id: string | null
  readonly userId: number | null
  /** Small values of the steps before sign-in: oauth_state, aff, bot check. */
  get<T>(key: string): T | undefined
  set(key: string, value: unknown): Promise<void>
  /** Reads and writes one value with nothing of another call in between. */
  change(key: string, next: (value: unknown) => unknown): Promise<void>
  /** The users who have signed in with this browser before, each with what the browser is called there; see GuessService. */
  knownDevices(): Promise<ReadonlyMap<number, string>>
  /** Issues a new session id for the user, remembers the browser and sets the cookies. `admit` refuses by throwing, in the transaction that
   *  makes the session: what ends the sessions of an account at the same moment ends this one, or is seen by it. */
  signIn(
    reply: FastifyReply,
    userId: number,
    admit?: (transaction: Transaction) => Promise<void>,
  ): Promise<void>
  signOut(reply: FastifyReply): Promise<void>
}

export interface Envelope<T = unknown> {
  success: boolean
  message: string
  data?: T
}

/** The success envelope. `data` is left out when undefined; `beside` are keys next to it. */
export function envelope<T>(data?: T, beside: Record<string, unknown> = {}): Envelope<T> {
  return { success: true, message: '', ...(data === undefined ? {} : { data }), ...beside }
}

/** The caller of a guarded route. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('callerOf on a route without a guard')
  return request.caller
}

export interface PageQuery {
  page: number
  pageSize: number
}

/** `p` from 1 (below, absent, unparsable: 1), `page_size` absent, 0, negative or unparsable: 10; at most 100. */
export function readPage(
  query: unknown,
  options: { max?: number; sizeKey?: string } = {},
): PageQuery {
  const values = query as Record<string, string | undefined>
  const page = Number.parseInt(values['p'] ?? '', 10)
  const size = Number.parseInt(values[options.sizeKey ?? 'page_size'] ?? '', 10)
  return {
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    pageSize: Number.isSafeInteger(size) && size > 0 ? Math.min(size, options.max ?? 100) : 10,
  }
}
