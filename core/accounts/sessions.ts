import { LRUCache } from 'lru-cache'
import { Op, type Transaction } from 'sequelize'
import { isObject, type JsonObject } from '../contract/json.ts'
import type { UserSession } from '../contract/account-services.ts'
import type { EventBus, SignedIn } from '../contract/events.ts'
import type { ClusterBus, DatabaseService, SecretService } from '../contract/services.ts'
import { withoutAdmission } from '../data/admission.ts'
import { sessions } from '../data/models/session.ts'
import { KnownDevices } from './known-devices.ts'
import { selectSession, type FoundSession } from './session-sql.ts'

/** A row of `sessions`. The cookie's secret is not stored: rows are found by its HMAC. */
export interface StoredSession {
  /** HMAC of the cookie's secret: the id of the row, which may be passed on. */
  id: string
  /** Null before sign-in. */
  userId: number | null
  data: Readonly<JsonObject>
  expiresAtSeconds: number
}

export interface NewSession {
  userId: number | null
  data: JsonObject
  address: string
  userAgent: string
  /** Refuses by throwing, in the transaction that creates the session. */
  admit?: ((transaction: Transaction) => Promise<void>) | undefined
}

interface SessionsInput {
  database: DatabaseService
  secrets: SecretService
  cluster: ClusterBus
  events: EventBus
  /** Milliseconds. */
  now?: () => number
}

/** 30 days from sign-in, not renewed by use. */
export const SESSION_SECONDS = 30 * 24 * 3600
/** Rows without a sign-in (OAuth state, invite code) are kept for only a day, because anybody can create them. */
const ANONYMOUS_SECONDS = 24 * 3600
/** The precision of "last used": one write per session in this time. */
const USE_SECONDS = 300
const MOST_LISTED = 200
const PURGE_EVERY_MS = 10 * 60 * 1000
const CACHE_MS = 3000
const TOPIC = 'session.ended'
/** 43 characters of 62: 256 bits. */
const SECRET_LENGTH = 43
const SECRET = /^[0-9A-Za-z]{43}$/

export class Sessions {
  /** The browsers in which the sessions were begun. */
  readonly devices: KnownDevices
  readonly #database: DatabaseService
  readonly #secrets: SecretService
  readonly #cluster: ClusterBus
  readonly #events: EventBus
  readonly #now: () => number
  readonly #cache = new LRUCache<string, StoredSession>({ max: 10_000, ttl: CACHE_MS })
  readonly #unsubscribe: () => void
  /** Counts invalidations, so that a read which began before one does not fill the cache after it. */
  #drops = 0
  #purgedAtMs = 0

  constructor({ database, secrets, cluster, events, now = Date.now }: SessionsInput) {
    this.#database = database
    this.#secrets = secrets
    this.#cluster = cluster
    this.#events = events
    this.#now = now
    this.devices = new KnownDevices({ database, secrets, now })
    this.#unsubscribe = cluster.subscribe(
      TOPIC,
      (payload) => this.#drop(payload),
      () => this.#dropAll(),
    )
  }

  async read(secret: string): Promise<StoredSession | undefined> {
    if (!SECRET.test(secret)) return undefined
    const id = this.#secrets.lookup('session', secret)
    const session = this.#cache.get(id) ?? (await this.#load(id))
    return session && session.expiresAtSeconds > this.#seconds() ? session : undefined
  }

  async start({
    userId,
    data,
    address,
    userAgent,
    admit,
  }: NewSession): Promise<{ secret: string; session: StoredSession }> {
    await this.#purge()
    const secret = this.#secrets.random(SECRET_LENGTH)
    const createdAt = this.#seconds()
    const session: StoredSession = {
      id: this.#secrets.lookup('session', secret),
      userId,
      data,
      expiresAtSeconds: createdAt + (userId === null ? ANONYMOUS_SECONDS : SESSION_SECONDS),
    }
    const row = {
      id_hash: session.id,
      user_id: userId,
      data: JSON.stringify(data),
      created_at: createdAt,
      expires_at: session.expiresAtSeconds,
      last_used_at: createdAt,
      address,
      user_agent: userAgent.slice(0, 256),
    }
    await this.#database.transaction(async (transaction) => {
      await admit?.(transaction)
      await sessions(this.#database).create(row, { transaction })
    })
    return { secret, session }
  }

  announceSignIn(facts: Omit<SignedIn, 'atMs'>): void {
    this.#events.emit('user.signed_in', { ...facts, atMs: this.#now() })
  }

  /** Writes one value; undefined if the session has ended in the meantime. */
  setValue(id: string, key: string, value: unknown): Promise<StoredSession | undefined> {
    return this.changeValue(id, key, () => value)
  }

  /** As `setValue`, with a value computed from the current one. */
  async changeValue(
    id: string,
    key: string,
    next: (value: unknown) => unknown,
  ): Promise<StoredSession | undefined> {
    // Reads and writes in one transaction with the row locked: two tabs that start a sign-in must not undo each other,
    // and of two callbacks with one state the second must find it gone.
    const session = await this.#database.transaction(async (transaction) => {
      const lock = transaction.LOCK.UPDATE
      const stored = await sessions(this.#database).findByPk(id, { transaction, lock })
      if (stored === null) return undefined
      const row = stored.get()
      const before = parseData(row.data)
      const data = JSON.stringify({ ...before, [key]: next(before[key]) })
      await sessions(this.#database).update({ data }, { where: { id_hash: id }, transaction })
      return toSession({ ...row, data })
    })
    await this.#dropEverywhere({ id })
    return session
  }

  /** Needs no permission: anybody may sign out. */
  async end(id: string): Promise<void> {
    await withoutAdmission(() => sessions(this.#database).destroy({ where: { id_hash: id } }))
    await this.#dropEverywhere({ id })
  }

  /** Also forgets their browsers. Inside `transaction` if one is given; the caches follow its commit. */
  async endAll(
    userId: number,
    {
      exceptId = '',
      transaction,
    }: { exceptId?: string | undefined; transaction?: Transaction } = {},
  ): Promise<void> {
    if (!transaction) {
      await this.#database.transaction((own) => this.#endAllIn(userId, exceptId, own))
      return this.#dropEverywhere({ userId })
    }
    await this.#endAllIn(userId, exceptId, transaction)
    transaction.afterCommit(() => this.#dropEverywhere({ userId }))
  }

  async #endAllIn(userId: number, exceptId: string, transaction: Transaction): Promise<void> {
    const where = { user_id: userId, [Op.not]: { id_hash: exceptId } }
    await sessions(this.#database).destroy({ where, transaction })
    await this.devices.forgetAll(userId, { exceptId, transaction })
  }

  /** The sessions of a user, most recently used first. */
  async list(userId: number): Promise<UserSession[]> {
    const rows = await sessions(this.#database).findAll({
      attributes: ['id_hash', 'created_at', 'last_used_at', 'address', 'user_agent'],
      where: { user_id: userId, expires_at: { [Op.gt]: this.#seconds() } },
      order: [
        ['last_used_at', 'DESC'],
        ['created_at', 'DESC'],
      ],
      limit: MOST_LISTED,
    })
    return rows
      .map((row) => row.get())
      .map(({ id_hash: id, created_at, last_used_at, address, user_agent }) => ({
        id,
        created_at,
        last_used_at: Math.max(last_used_at, created_at),
        address,
        user_agent,
      }))
  }

  /** False if the user has no such session. Also forgets its browser. */
  async endOne(userId: number, id: string): Promise<boolean> {
    const where = { user_id: userId, id_hash: id }
    const isEnded = await this.#database.transaction(async (transaction) => {
      const ended = await sessions(this.#database).destroy({ where, transaction })
      if (ended > 0) await this.devices.forget(userId, id, transaction)
      return ended > 0
    })
    if (!isEnded) return false
    await this.#dropEverywhere({ id })
    return true
  }

  /** Addresses of the user's live sessions. */
  async addressesOf(userId: number): Promise<string[]> {
    const rows = await sessions(this.#database).findAll({
      attributes: ['address'],
      where: { user_id: userId, expires_at: { [Op.gt]: this.#seconds() } },
      group: ['address'],
      order: ['address'],
      limit: 200,
    })
    return rows.map((row) => row.get().address)
  }

  close(): void {
    this.#unsubscribe()
    this.#cache.clear()
  }

  async #load(id: string): Promise<StoredSession | undefined> {
    const drops = this.#drops
    const row = await selectSession(this.#database, id)
    if (!row) return undefined
    this.#noteUse(row)
    const session = toSession(row)
    if (drops === this.#drops) this.#cache.set(id, session)
    return session
  }

  /** In the background: nobody waits for it, and if it fails, the session only looks unused for longer. */
  #noteUse({ id_hash: id, user_id: userId, last_used_at: usedAt }: FoundSession): void {
    const now = this.#seconds()
    if (userId === null || now - usedAt < USE_SECONDS) return
    const table = sessions(this.#database)
    table.update({ last_used_at: now }, { where: { id_hash: id } }).catch(() => undefined)
  }

  /** This node first and at once, then the others. */
  async #dropEverywhere(payload: { id: string } | { userId: number }): Promise<void> {
    this.#drop(payload)
    await this.#cluster.publish(TOPIC, payload)
  }

  #drop(payload: JsonObject): void {
    this.#drops += 1
    if (typeof payload.id === 'string') this.#cache.delete(payload.id)
    for (const [id, session] of this.#cache.entries()) {
      if (session.userId !== null && session.userId === payload.userId) this.#cache.delete(id)
    }
  }

  #dropAll(): void {
    this.#drops += 1
    this.#cache.clear()
  }

  async #purge(): Promise<void> {
    const sinceMs = this.#now() - this.#purgedAtMs
    // Negative after the clock was set back.
    if (sinceMs >= 0 && sinceMs < PURGE_EVERY_MS) return
    this.#purgedAtMs = this.#now()
    const where = { expires_at: { [Op.lte]: this.#seconds() } }
    await sessions(this.#database).destroy({ where })
    await this.devices.purge()
  }

  #seconds(): number {
    return Math.floor(this.#now() / 1000)
  }
}

function toSession(row: FoundSession): StoredSession {
  return {
    id: row.id_hash,
    userId: row.user_id,
    data: parseData(row.data),
    expiresAtSeconds: row.expires_at,
  }
}

function parseData(text: string): JsonObject {
  const data: unknown = JSON.parse(text)
  return isObject(data) ? data : {}
}
