// The long-lived services of core as plugins see them. The classes that implement them lie in core/<area>/.
import type { Sequelize, Transaction } from 'sequelize'
import type { Text } from './errors.ts'
import type { JsonObject } from './json.ts'
export type { Transaction } from 'sequelize'
export type * from './account-services.ts'
export type * from './channel-services.ts'
export type * from './money-services.ts'

export interface Logger {
  debug(fields: object, message?: string): void
  info(fields: object, message?: string): void
  warn(fields: object, message?: string): void
  error(fields: object, message?: string): void
}

export interface EnvironmentView {
  port: number
  dataDir: string
  version: string
  startedAtSeconds: number
  optionMinRole: number
  setupToken: string
  updateCheckUrl: string
  /** True when counters live in Redis. */
  hasRedis: boolean
  /** Any further variable, for plugins that document their own. */
  read(name: string): string | undefined
}

export interface DatabaseService {
  sequelize: Sequelize
  dialect: 'sqlite' | 'postgres'
  /** The only way to write in several steps. IMMEDIATE on SQLite, behind the write gate; pass `transaction` to every statement inside. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>
  /** Raw SELECT; `:name` in it stands for a value, which is bound and never becomes text of the statement. */
  select<T extends object>(
    sql: string,
    values?: Record<string, unknown>,
    transaction?: Transaction,
  ): Promise<T[]>
  /** Raw write, values as for `select`; resolves to the number of rows changed. */
  run(sql: string, values?: Record<string, unknown>, transaction?: Transaction): Promise<number>
  /** For a long work in many short transactions, which nobody waits for. */
  slices(limits: SliceLimits): Slices
  isUniqueViolation(error: unknown): boolean
  ping(): Promise<void>
}

/** How many rows a slice takes: first, and at the least and most. At the least it should be what 2 ms are enough for. */
export interface SliceLimits {
  first: number
  least: number
  most: number
}

/** The transactions of one long work, one after the other. */
export interface Slices {
  /** How many the next one should take: so many as took 50 ms before, or 5 ms while others wait to write. */
  readonly rows: number
  /**
   * Work in a transaction of its own, and then a rest, three times as long, where others waited to write. On SQLite a power cut may take the
   * last slices back, whole: where the work stands belongs into the same transaction.
   */
  take<T>(work: (statements: TransactionStatements) => Promise<T>): Promise<T>
}

/** Those of one transaction; others may not be awaited inside. Values as for `select` and `run` of the database. */
export interface TransactionStatements {
  readonly dialect: DatabaseService['dialect']
  select<T extends object>(sql: string, values?: Record<string, unknown>): Promise<T[]>
  /** Resolves to the number of rows changed. */
  run(sql: string, values?: Record<string, unknown>): Promise<number>
}

export interface SecretService {
  /** AES-256-GCM, `v1:<base64>`. */
  encrypt(text: string): string
  /** @throws when the text was tampered with or another master key wrote it */
  decrypt(sealed: string): string
  /** HMAC-SHA-256 under a key derived for the purpose; hex. */
  lookup(
    purpose:
      | 'token'
      | 'session'
      | 'access-token'
      | 'redemption'
      | 'channel-key'
      | 'code'
      | 'hop'
      | 'device',
    text: string,
  ): string
  /** Random text of `alphabet` (default 0-9A-Za-z) from a secure generator. */
  random(length: number, alphabet?: string): string
}

/** May be asynchronous: when it throws or rejects, the subscriber's `resync` follows. */
export type ClusterListener = (payload: JsonObject) => void | Promise<void>

/** Reads anew whatever the subscriber keeps true by the topic. Repeated with growing pauses until it succeeds. */
export type ClusterResync = () => void | Promise<void>

/**
 * Tells all nodes that something has changed, so that they read it anew. Messages can be lost (a cut connection, a node that was
 * killed before it could send), come twice or out of order; so a message says what to look at, never what is true now, and a
 * subscriber must be able to do without any of them: that is its `resync`.
 *
 * To keep something true: subscribe first, then read it for the first time.
 *
 *     const stop = cluster.subscribe(
 *       'prices',
 *       ({ model }) => cache.delete(model), // one message
 *       () => cache.clear(),                // after a gap: everything of this topic may have changed
 *     )
 *     await cluster.publish('prices', { model }) // after the change has been committed
 */
export interface ClusterBus {
  /** Delivers to every node, this one included (before it returns), at least once. Payload at most 4 kB of JSON. */
  publish(topic: string, payload: JsonObject): Promise<void>
  /** `resync` is called after each gap in the bus. Within a plugin it is also called when the plugin begins to serve, for what
   *  was read while it loaded may be old by then. Returns what ends the subscription. */
  subscribe(topic: string, listener: ClusterListener, resync: ClusterResync): () => void
  readonly nodeId: string
}

export interface MailService {
  /** @throws mail.not_configured, mail.failed. Without a mail plugin: not configured. */
  send(message: { to: string; subject: string; html: string }): Promise<void>
  use(
    transport: (message: { to: string; subject: string; html: string }) => Promise<void>,
  ): () => void
}

/** What a user is told, in the language that is stored for the account; neither: English. */
export interface Notice {
  kind: string
  title: Text
  content: Text
  /** Fill the `{{value}}`s of the content in their order. */
  values: (string | Text)[]
}

export interface NotificationService {
  /** At most NOTIFY_LIMIT_COUNT per user and kind in NOTIFICATION_LIMIT_DURATION_MINUTE; never throws. */
  notify(userId: number, notice: Notice): Promise<void>
  /** Tells every active admin, each in his own way and language. */
  notifyAdmins(notice: Notice): Promise<void>
  /** The notifiers that users may choose, as they are on. */
  ways(): { id: string; name: Text }[]
}

/** One guess at a secret. */
export interface Guess {
  /** What is guessed: password, code. */
  kind: string
  /** Whose secret, as the caller wrote it, so that unknown names count as known ones do. */
  subject: string
  /** The client's address. */
  address: string
  /** Where several subjects lead to one secret (a user name, an address): whose it is; 0: nobody's. One network's guesses at it count together. */
  owner?(): Promise<number>
  /** Whether the secret's owner is known to come from there; he does not wait behind the guesses of others. */
  isKnownNetwork?(network: string): Promise<boolean>
  /** What `SessionHandle.knownDevices` calls the browser at the secret's owner, if it knows it: it is counted by itself. */
  knownDevice?(): Promise<string | undefined>
}

/** Every secret that somebody could guess is judged here. */
export interface GuessService {
  /** Counts the guess, then judges it; what is right is not counted. One network gets few wrong guesses at a secret, all together slow each
   *  other down. `check` gives undefined for what is wrong, and works as long for a subject that does not exist. It is told the known
   *  device, when the guess is counted by that, and whether the network is beyond its guesses at the `owner`: then it does the work for a subject that
   *  does not exist, and the guess is wrong whatever it says. @throws guesses.too_many */
  judge<T>(
    guess: Guess,
    check: (knownDevice?: string, isBeyond?: boolean) => Promise<T | undefined>,
  ): Promise<T | undefined>
}

export interface RateLimitService {
  /** Sliding window of the last `limit` times. Counts when let through. */
  take(
    key: string,
    limit: number,
    windowSeconds: number,
  ): Promise<{ isAllowed: boolean; retryAfterSeconds: number }>
  /** Takes back the newest one that was let through. */
  giveBack(key: string): Promise<void>
  /** Looks without counting. */
  peek(
    key: string,
    limit: number,
    windowSeconds: number,
  ): Promise<{ isAllowed: boolean; retryAfterSeconds: number }>
}
