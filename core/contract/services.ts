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
  /** The only way to write in several steps. IMMEDIATE on SQLite, behind the write gate; pass `transaction` to every statement inside. All
   *  who write may wait for it: it is rolled back after three seconds without a statement. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>
  /** Raw SELECT; `:name` in it stands for a value, which is bound and never becomes text of the statement. */
  select<T extends object>(
    sql: string,
    values?: Record<string, unknown>,
    transaction?: Transaction,
  ): Promise<T[]>
  /** Raw write, values as for `select`; resolves to the number of rows changed. */
  run(sql: string, values?: Record<string, unknown>, transaction?: Transaction): Promise<number>
  /** For long work that nobody waits for, in many short transactions. */
  slices(limits: SliceLimits): Slices
  isUniqueViolation(error: unknown): boolean
  ping(): Promise<void>
}

/** Rows per slice: of the first slice, and the bounds. `least` should be so small that it takes about 2 ms. */
export interface SliceLimits {
  first: number
  least: number
  most: number
}

/** The transactions of one long piece of work, one after the other. */
export interface Slices {
  /** Rows for the next slice: as many as took 50 ms before, or 5 ms while others wait to write. */
  readonly rows: number
  /**
   * Runs `work` in its own transaction, then pauses three times as long if others waited to write. On SQLite a power cut may undo the last
   * slices as a whole: store the progress in the same transaction.
   */
  take<T>(work: (statements: TransactionStatements) => Promise<T>): Promise<T>
}

/** Statements of one transaction; await no others inside it. Values as for `select` and `run` of the database. */
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
  /** Random text of `alphabet` (default 0-9A-Za-z) from a secure generator.
   *  @throws RangeError if the length is not a whole number from 1 to 65 536 */
  random(length: number, alphabet?: string): string
}

/** May be asynchronous: when it throws or rejects, the subscriber's `resync` follows. */
export type ClusterListener = (payload: JsonObject) => void | Promise<void>

/** Reads again everything that the subscriber caches under the topic. Repeated with growing pauses until it succeeds. */
export type ClusterResync = () => void | Promise<void>

/**
 * Tells all nodes that something has changed, so that they read it again. Messages can be lost (a cut connection, a node that was
 * killed before it could send), arrive twice or out of order. So a message says what to look at, never the new value, and a
 * subscriber must cope with losing any of them: that is what `resync` is for.
 *
 * To keep a copy current: subscribe first, then read for the first time.
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
  /** `resync` is called after each gap in the bus. Within a plugin it is also called when the plugin begins to serve, because what
   *  was read while it loaded may be outdated by then. Returns a function that ends the subscription. */
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

/** A message to a user, in the language stored for the account; English if none is. */
export interface Notice {
  kind: string
  title: Text
  content: Text
  /** Replace the `{{value}}`s of the content, in order. */
  values: (string | Text)[]
}

export interface NotificationService {
  /** At most NOTIFY_LIMIT_COUNT per user and kind in NOTIFICATION_LIMIT_DURATION_MINUTE; never throws. */
  notify(userId: number, notice: Notice): Promise<void>
  /** Notifies every active admin, by the method and in the language of each. */
  notifyAdmins(notice: Notice): Promise<void>
  /** The notifiers that are on, for users to choose from. */
  ways(): { id: string; name: Text }[]
}

/** One guess at a secret. */
export interface Guess {
  /** What is guessed: password, code. */
  kind: string
  /** Whose secret, as the caller wrote it, so that unknown names count like known ones. */
  subject: string
  /** The client's address. */
  address: string
  /** The owner of the secret, where several subjects (a user name, an address) lead to one secret; 0: nobody. A network's guesses at it count together. */
  owner?(): Promise<number>
  /** Whether the secret's owner has used this network before; then he does not wait behind the guesses of others. */
  isKnownNetwork?(network: string): Promise<boolean>
  /** The id that `SessionHandle.knownDevices` has for this browser and the secret's owner, if any: such a browser is counted separately. */
  knownDevice?(): Promise<string | undefined>
  /** Of a secret so short that slow guesses find it, too: how many wrong ones are judged in a day, those of known devices apart. */
  mostADay?: number
}

/** Checks every secret that somebody could guess. */
export interface GuessService {
  /** Counts the guess, then runs `check`; a right guess is not counted. Each network gets few wrong guesses at a secret, and all networks
   *  together slow each other down. `check` returns undefined for a wrong guess, and must take as long for a subject that does not exist. It gets
   *  the known device, if the guess is counted by device, and whether the network has used up its guesses at the `owner`: then it does the work
   *  for a subject that does not exist, and the guess is wrong whatever it returns. @throws guesses.too_many */
  judge<T>(
    guess: Guess,
    check: (knownDevice?: string, isBeyond?: boolean) => Promise<T | undefined>,
  ): Promise<T | undefined>
}

export interface RateLimitService {
  /** Sliding window of the last `limit` calls. Counts a call that is allowed, and says which place it has. */
  take(
    key: string,
    limit: number,
    windowSeconds: number,
  ): Promise<{ isAllowed: boolean; retryAfterSeconds: number; place?: string }>
  /** Takes back the call of that place, or nothing if its time has passed; without a place the newest call that was allowed. */
  giveBack(key: string, place?: string): Promise<void>
  /** Like `take`, without counting. */
  peek(
    key: string,
    limit: number,
    windowSeconds: number,
  ): Promise<{ isAllowed: boolean; retryAfterSeconds: number }>
}
