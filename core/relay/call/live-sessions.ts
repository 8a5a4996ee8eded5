import { relayErrors } from './relay-errors.ts'

export interface LiveSession {
  /** Ends after the answer under way. */
  end(): void
  /** Ends at once. */
  stop(): void
  /** Repeats the access checks, and ends the session if they fail. */
  recheck(): Promise<void>
}

/** Sessions that one process serves at a time. */
export interface SessionLimits {
  all: number
  perUser: number
}

/** A place among the sessions, from before the handshake is answered. */
export interface SessionPlace {
  session?: LiveSession
  leave(): void
}

/** A ban ends a session within this time, however it came about: by a change, an expiry or a resync. */
const RECHECK_MS = 1_000

/** Sessions over WebSockets that this process serves. A closing HTTP server does not wait for upgraded connections, so the shutdown
 *  waits for these here. */
export class LiveSessions {
  readonly #limits: SessionLimits
  readonly #places = new Set<SessionPlace>()
  readonly #perUser = new Map<number, number>()
  #timer: NodeJS.Timeout | undefined
  #isEnding = false

  constructor(limits: SessionLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#places.size
  }

  /** @throws relay.too_many_sessions */
  enter(userId: number): SessionPlace {
    const own = this.#perUser.get(userId) ?? 0
    if (own >= this.#limits.perUser) throw relayErrors.tooManySessions({ max: own })
    if (this.size >= this.#limits.all) throw relayErrors.sessionsFull()
    this.#perUser.set(userId, own + 1)
    const place: SessionPlace = { leave: () => this.#leave(place, userId) }
    this.#places.add(place)
    this.#timer ??= setInterval(() => this.#recheck(), RECHECK_MS).unref()
    return place
  }

  begin(place: SessionPlace, session: LiveSession): void {
    place.session = session
    if (this.#isEnding) session.end()
  }

  end(): void {
    this.#isEnding = true
    for (const { session } of this.#places) session?.end()
  }

  stop(): void {
    for (const { session } of this.#places) session?.stop()
  }

  #recheck(): void {
    for (const { session } of this.#places) void session?.recheck()
  }

  #leave(place: SessionPlace, userId: number): void {
    if (!this.#places.delete(place)) return
    const others = (this.#perUser.get(userId) ?? 0) - 1
    if (others > 0) this.#perUser.set(userId, others)
    else this.#perUser.delete(userId)
    if (this.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
