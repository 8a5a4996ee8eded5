import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Transaction } from 'sequelize'
import type { SessionHandle } from '../../contract/http.ts'
import { PROVED_AT } from './proof.ts'
import { DEVICE_SECONDS } from '../../accounts/known-devices.ts'
import { SESSION_SECONDS, type Sessions, type StoredSession } from '../../accounts/sessions.ts'

const COOKIE = 'session'
/** Outlives the session: it tells the browsers in which an account has signed in before from those of strangers. */
const DEVICE_COOKIE = 'device'

/** What a sign-in keeps although it changes the session id: the invite code. */
const KEPT_AT_SIGN_IN = ['aff']

/** Reads the session of the request's cookie. Without a cookie the session is empty until something is written. */
export async function openSession(
  request: FastifyRequest,
  reply: FastifyReply,
  sessions: Sessions,
): Promise<SessionHandle> {
  const secret = cookieOf(request, COOKIE)
  const stored = secret === undefined ? undefined : await sessions.read(secret)
  return new CookieSession(request, reply, sessions, stored)
}

class CookieSession implements SessionHandle {
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #sessions: Sessions
  #stored: StoredSession | undefined

  constructor(
    request: FastifyRequest,
    reply: FastifyReply,
    sessions: Sessions,
    stored: StoredSession | undefined,
  ) {
    this.#request = request
    this.#reply = reply
    this.#sessions = sessions
    this.#stored = stored
  }

  get id(): string | null {
    return this.#stored?.id ?? null
  }

  get userId(): number | null {
    return this.#stored?.userId ?? null
  }

  get<T>(key: string): T | undefined {
    return this.#stored?.data[key] as T | undefined
  }

  async set(key: string, value: unknown): Promise<void> {
    if (this.#stored) this.#stored = await this.#sessions.setValue(this.#stored.id, key, value)
    if (!this.#stored) await this.#start(this.#reply, null, { [key]: value })
  }

  async change(key: string, next: (value: unknown) => unknown): Promise<void> {
    if (this.#stored) this.#stored = await this.#sessions.changeValue(this.#stored.id, key, next)
    if (!this.#stored) await this.#start(this.#reply, null, { [key]: next(undefined) })
  }

  async signIn(
    reply: FastifyReply,
    userId: number,
    admit?: (transaction: Transaction) => Promise<void>,
  ): Promise<void> {
    const before = this.#stored
    const kept = KEPT_AT_SIGN_IN.flatMap((key) =>
      before?.data[key] === undefined ? [] : [[key, before.data[key]] as const],
    )
    const data = { ...Object.fromEntries(kept), [PROVED_AT]: Date.now() }
    const session = await this.#start(reply, userId, data, admit)
    const { cookie, wasKnown } = await this.#sessions.devices.remember(
      cookieOf(this.#request, DEVICE_COOKIE),
      {
        userId,
        sessionId: session.id,
      },
    )
    // Its path is /api: only routes that sign in need it.
    reply.header('set-cookie', this.#cookie(DEVICE_COOKIE, cookie, '/api', DEVICE_SECONDS))
    if (before) await this.#sessions.end(before.id)
    this.#sessions.announceSignIn({
      userId,
      isKnownDevice: wasKnown,
      address: this.#request.clientAddress,
      userAgent: this.#request.headers['user-agent'] ?? '',
    })
  }

  knownDevices(): Promise<ReadonlyMap<number, string>> {
    return this.#sessions.devices.find(cookieOf(this.#request, DEVICE_COOKIE))
  }

  async signOut(reply: FastifyReply): Promise<void> {
    if (this.#stored) await this.#sessions.end(this.#stored.id)
    this.#stored = undefined
    reply.header('set-cookie', this.#cookie(COOKIE, '', '/', 0))
  }

  async #start(
    reply: FastifyReply,
    userId: number | null,
    data: Record<string, unknown>,
    admit?: (transaction: Transaction) => Promise<void>,
  ) {
    const { secret, session } = await this.#sessions.start({
      userId,
      data,
      address: this.#request.clientAddress,
      userAgent: this.#request.headers['user-agent'] ?? '',
      admit,
    })
    this.#stored = session
    reply.header('set-cookie', this.#cookie(COOKIE, secret, '/', SESSION_SECONDS))
    return session
  }

  #cookie(name: string, value: string, path: string, maxAge: number): string {
    // request.protocol honours X-Forwarded-Proto, but only from trusted proxies.
    const secure = this.#request.protocol === 'https'
    return [
      `${name}=${value}`,
      `Path=${path}`,
      `Max-Age=${maxAge}`,
      'HttpOnly',
      'SameSite=Strict',
      ...(secure ? ['Secure'] : []),
    ].join('; ')
  }
}

/** The first cookie of the name; the values of ours are plain letters, digits and dots, so nothing needs decoding. */
function cookieOf({ headers }: FastifyRequest, name: string): string | undefined {
  const prefix = `${name}=`
  const pair = headers.cookie?.split(';').find((part) => part.trimStart().startsWith(prefix))
  return pair?.trim().slice(prefix.length)
}
