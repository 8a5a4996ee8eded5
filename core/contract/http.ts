import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Transaction } from 'sequelize'

/** Who may call a route. Every route under /api states it; a route without one fails the start.
 *  `session`: a signed-in cookie session, no New-Api-User header. `options`: OPTION_MIN_ROLE (10). */
export type Access = 'public' | 'try-user' | 'session' | 'user' | 'admin' | 'root' | 'options'

/** Class of the rate limit per client address. Routes under /api always count as global-api, and additionally as `critical` if they
 *  say so; other routes count only if they name a class. */
export type RateClass = 'critical' | 'global-api' | 'global-web' | 'none'

export interface Caller {
  id: number
  username: string
  role: number
  status: number
  group: string
  /** How the caller was recognised. */
  by: 'session' | 'access-token'
  /** The credential in its stored form: the id of the session, or the HMAC of the access token. Safe to pass on. */
  credential: string
}

/** The caller and the credential that let him in. */
export type Standing = Pick<Caller, 'id' | 'by' | 'credential'>

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    rate?: RateClass
    botCheck?: boolean
    /** On a demo site only the super admin changes anything; the method tells whether a route does. Exceptions: `open` reads by POST, or
     *  signs in. `closed` changes something by GET. `sign-in`: a GET that signs a visitor in and binds whoever is signed in. */
    demo?: 'open' | 'closed' | 'sign-in'
    /** Signs in or binds by GET without a state: only pages of this site and programs may call it, not links in other pages or mails. */
    fromOwnPages?: boolean
    /** Takes forms as well as JSON and is called from other sites, e.g. by a payment provider. The route authenticates its caller itself. */
    takesForms?: boolean
    /** Gets its body as raw bytes of any type, to check a signature over them, and is called from other sites, e.g. by a payment
     *  provider. The route authenticates its caller itself. */
    takesBytes?: boolean
    /** Gets its body as the bytes of a file; for core only. Access is as for any other route. */
    takesFile?: boolean
    /** Changes how one gets into the account, or shows a secret: only a session whose user has recently proved who he is may call it, and no
     *  system access token (`auth.proof_needed`). Proof is signing in, or `POST /api/verify`. */
    needsProof?: boolean
    /** Also open to admins who must have a second factor and have none yet: the routes that set one up. */
    beforeFactor?: boolean
    /** The plugin that brought the route; filled by the host. */
    owner?: string
    /** The path begins with a parameter; filled by the host. */
    hasOpenStart?: boolean
  }
  interface FastifySchema {
    /** What the API reference, /docs, says of the route: one line, and more. */
    summary?: string
    description?: string
  }
  interface FastifyRequest {
    /** Set by the guard on routes with access try-user (maybe null), session, user, admin, root, options. */
    caller: Caller | null
    /** zh or en by Accept-Language, default en. */
    language: 'en' | 'zh'
    /** The client's address as seen by the proxies of TRUSTED_PROXIES. */
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
  /** Reads and writes one value atomically. */
  change(key: string, next: (value: unknown) => unknown): Promise<void>
  /** Users who have signed in with this browser before, each with the id of the browser in that account; see GuessService. */
  knownDevices(): Promise<ReadonlyMap<number, string>>
  /** Issues a new session id for the user, remembers the browser and sets the cookies. `admit` runs in the transaction that
   *  creates the session and refuses by throwing: if the account's sessions are ended at the same moment, either this one ends too or `admit` sees it. */
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

/** The success envelope. `data` is left out when undefined; `beside` adds keys next to it. */
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

/** `p` from `firstPage`, 1 unless the list has always counted from 0 (below, absent, unparsable: that one); `page_size` absent, 0, negative or
 *  unparsable: 10; at most `max`, 100. */
export function readPage(
  query: unknown,
  {
    firstPage = 1,
    max = 100,
    sizeKey = 'page_size',
  }: { firstPage?: 0 | 1; max?: number; sizeKey?: string } = {},
): PageQuery {
  const values = query as Record<string, string | undefined>
  const page = Number.parseInt(values['p'] ?? '', 10)
  const size = Number.parseInt(values[sizeKey] ?? '', 10)
  return {
    page: Number.isSafeInteger(page) && page > firstPage ? page : firstPage,
    pageSize: Number.isSafeInteger(size) && size > 0 ? Math.min(size, max) : 10,
  }
}
