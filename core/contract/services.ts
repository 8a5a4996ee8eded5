// The long-lived services of core as plugins see them. The classes that implement them lie in core/<area>/.
import type { Sequelize, Transaction } from 'sequelize'
import type { Adapter, ChannelView, HttpOptions } from './adapter.ts'
import type { Usage } from './dialect.ts'
import type { Text } from './errors.ts'
import type { JsonObject } from './json.ts'

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
  /** Raw SELECT with `:name` replacements. */
  select<T extends object>(
    sql: string,
    replacements?: Record<string, unknown>,
    transaction?: Transaction,
  ): Promise<T[]>
  /** Raw write; resolves to the number of rows changed. */
  run(
    sql: string,
    replacements?: Record<string, unknown>,
    transaction?: Transaction,
  ): Promise<number>
  isUniqueViolation(error: unknown): boolean
  ping(): Promise<void>
}

export interface SecretService {
  /** AES-256-GCM, `v1:<base64>`. */
  encrypt(text: string): string
  /** @throws when the text was tampered with or another master key wrote it */
  decrypt(sealed: string): string
  /** HMAC-SHA-256 under a key derived for the purpose; hex. */
  lookup(
    purpose: 'token' | 'session' | 'access-token' | 'redemption' | 'channel-key' | 'code',
    text: string,
  ): string
  /** Random text of `alphabet` (default 0-9A-Za-z) from a secure generator. */
  random(length: number, alphabet?: string): string
}

export interface ClusterBus {
  /** Delivers to every node, this one included, at least once. Payload at most 4 kB of JSON. */
  publish(topic: string, payload: JsonObject): Promise<void>
  /** After this node was cut off from the others it gets the topic `cluster.resync`: read anew whatever the bus keeps true. */
  subscribe(topic: string, listener: (payload: JsonObject) => void): () => void
  readonly nodeId: string
}

/** A user as sent on the wire (api-accounts.md 3.1). */
export interface UserRecord {
  id: number
  username: string
  password: ''
  display_name: string
  role: number
  status: number
  email: string
  github_id: string
  oidc_id: string
  wechat_id: string
  telegram_id: string
  linux_do_id: string
  verification_code: ''
  access_token: null
  quota: number
  used_quota: number
  request_count: number
  group: string
  aff_code: string
  aff_count: number
  aff_quota: number
  aff_history_quota: number
  inviter_id: number
  DeletedAt: string | null
  setting: string
}

export interface UserSetting {
  notify_type?: 'email' | 'webhook'
  quota_warning_threshold?: number
  webhook_url?: string
  webhook_secret?: string
  notification_email?: string
  accept_unset_model_ratio_model?: boolean
}

export interface Actor {
  id: number
  username: string
  role: number
}

/** Codes and links that are sent to an address: hashed at rest, single use, at most five wrong tries. */
export interface OneTimeCodes {
  /** Keeps `code` for `subject`, replacing an earlier one of the same purpose. */
  put(purpose: string, subject: string, code: string, lifetimeSeconds: number): Promise<void>
  /** True once, for the right code in time. */
  consume(purpose: string, subject: string, code: string): Promise<boolean>
}

export interface AccountService {
  /** Deregistered accounts too: look at `DeletedAt`. `setting` comes without the webhook secret. */
  find(id: number): Promise<UserRecord | undefined>
  /** A live account by its name, else by its e-mail address. */
  findByLogin(usernameOrEmail: string): Promise<UserRecord | undefined>
  /** Deregistered accounts too. */
  findByProvider(column: string, providerId: string): Promise<UserRecord | undefined>
  list(page: { page: number; pageSize: number }): Promise<{ items: UserRecord[]; total: number }>
  search(
    query: { keyword: string; group: string },
    page: { page: number; pageSize: number },
  ): Promise<{ items: UserRecord[]; total: number }>
  /** Creates an account with its gift, in one transaction.
   *  @throws account.username_taken */
  create(input: {
    username: string
    password?: string
    display_name?: string
    role?: number
    email?: string
    inviter_id?: number
    provider?: { column: string; id: string }
    quota?: number
    by: 'password' | 'provider' | 'admin' | 'setup'
    /** Joins the caller's transaction instead of opening one. */
    transaction?: Transaction
  }): Promise<UserRecord>
  /** The rules for names and passwords, which create and update apply too; for callers that do something irreversible first.
   *  @throws account.invalid_username, account.invalid_password, account.invalid_display_name */
  checkCredentials(input: { username?: string; password?: string; display_name?: string }): void
  /** Writes only the named columns; never quota. A new password, a lower role and a status other than 1 end the
   *  user's sessions, but for `keepSessionId`. @throws account.username_taken */
  update(
    id: number,
    changes: Partial<{
      username: string
      display_name: string
      password: string
      email: string
      group: string
      role: number
      status: number
      setting: string
      [column: string]: unknown
    }>,
    options?: {
      keepSessionId?: string | undefined
      /** Runs in the same transaction: a change that must happen together with this one, or not at all. */
      alongside?: ((transaction: Transaction) => Promise<void>) | undefined
    },
  ): Promise<void>
  softDelete(id: number): Promise<void>
  hardDelete(id: number): Promise<void>
  /** An unknown id (0) costs as long as a known one and is false. */
  checkPassword(id: number, password: string): Promise<boolean>
  hasPassword(id: number): Promise<boolean>
  /** The setting with webhook_secret decrypted; for its owner and the notifiers. */
  settingOf(id: number): Promise<UserSetting>
  saveSetting(id: number, setting: UserSetting): Promise<void>
  newAccessToken(id: number): Promise<string>
  affCode(id: number): Promise<string>
  /** The live user whose invite code this is. */
  findByAffCode(code: string): Promise<UserRecord | undefined>
  /** Moves pending invite earnings into the balance. @throws account.aff_quota_insufficient */
  transferAffQuota(id: number, units: number): Promise<void>
  codes: OneTimeCodes
  rootExists(): Promise<boolean>
  firstRootId(): Promise<number>
  endSessions(userId: number, exceptSessionId?: string): Promise<void>
}

export interface TokenRecord {
  id: number
  user_id: number
  key: string
  status: number
  name: string
  created_time: number
  accessed_time: number
  expired_time: number
  remain_quota: number
  unlimited_quota: boolean
  model_limits_enabled: boolean
  model_limits: string
  allow_ips: string
  used_quota: number
  group: string
  DeletedAt: null
}

export type TokenInput = Partial<
  Pick<
    TokenRecord,
    | 'name'
    | 'expired_time'
    | 'remain_quota'
    | 'unlimited_quota'
    | 'model_limits_enabled'
    | 'model_limits'
    | 'allow_ips'
    | 'group'
  >
>

export interface TokenService {
  list(
    userId: number,
    page: { offset: number; limit: number },
  ): Promise<{ items: TokenRecord[]; total: number }>
  search(userId: number, query: { keyword: string; token: string }): Promise<TokenRecord[]>
  find(userId: number, id: number): Promise<TokenRecord>
  create(userId: number, input: TokenInput): Promise<TokenRecord>
  update(userId: number, id: number, input: TokenInput, status?: number): Promise<TokenRecord>
  setStatus(userId: number, id: number, status: number): Promise<TokenRecord>
  remove(userId: number, id: number): Promise<void>
  /** What the relay's key check needs, from the in-memory cache. */
  authenticate(key: string): Promise<TokenIdentity | undefined>
}

/** A token with its owner, as the relay keeps it in memory. */
export interface TokenIdentity {
  tokenId: number
  tokenName: string
  status: number
  expiredTime: number
  isUnlimited: boolean
  /** Remaining units as last read; the ledger decides, this only refuses early. */
  remainQuota: number
  /** Null: no limit. */
  models: ReadonlySet<string> | null
  allowAddresses: readonly string[]
  tokenGroup: string
  userId: number
  username: string
  userGroup: string
  userRole: number
  userStatus: number
  acceptUnsetRatio: boolean
}

/** A channel row on the wire (api-operations.md 3), `key` always blank. */
export interface ChannelRecord {
  id: number
  type: number
  key: string
  openai_organization: string
  test_model: string
  status: number
  name: string
  weight: number
  created_time: number
  test_time: number
  response_time: number
  base_url: string
  other: string
  balance: number
  balance_updated_time: number
  models: string
  group: string
  used_quota: number
  model_mapping: string
  status_code_mapping: string
  priority: number
  auto_ban: number
  other_info: string
  tag: string
  setting: string
  param_override: string
  max_input_tokens: number
}

export interface ChannelService {
  list(query: {
    p: number
    pageSize: number
    idSort: boolean
    tagMode: boolean
  }): Promise<{ items: ChannelRecord[]; total: number }>
  search(query: {
    keyword: string
    group: string
    model: string
    idSort: boolean
    tagMode: boolean
  }): Promise<ChannelRecord[]>
  find(id: number): Promise<ChannelRecord>
  create(input: JsonObject): Promise<number[]>
  update(input: JsonObject): Promise<ChannelRecord>
  copy(id: number): Promise<number>
  remove(ids: readonly number[]): Promise<number>
  removeDisabled(): Promise<number>
  setTagStatus(tag: string, status: number): Promise<void>
  editTag(input: JsonObject): Promise<void>
  tagChannels(ids: readonly number[], tag: string | null): Promise<number>
  fixAbilities(): Promise<number>
  enabledModels(): Promise<string[]>
  /** Distinct models with an enabled channel, per group. */
  modelsOfGroups(groups: readonly string[]): Promise<string[]>
  groupsOfModels(): Promise<Map<string, string[]>>
  /** Decrypted view for adapters. */
  view(id: number): Promise<ChannelView | undefined>
  /** Automatic changes: status 3 with reason and time, or back to 1. */
  setAutomatic(id: number, status: 1 | 3, reason: string): Promise<void>
  recordTest(id: number, responseMs: number): Promise<void>
  recordBalance(id: number, usd: number): Promise<void>
  adapterOf(type: number): Adapter | undefined
  adapters(): readonly Adapter[]
  httpOptionsOf(channel: ChannelView): HttpOptions
  /** One test call through the normal adapter (api-operations.md 9); records time, charges nobody. */
  test(
    id: number,
    model: string | undefined,
    actor: Actor,
  ): Promise<{ seconds: number; error?: { message: string; disables: boolean } }>
  /** Starts the background run over all channels. @throws channel.test_running */
  testAll(actor: Actor): Promise<void>
  updateBalance(id: number): Promise<number>
  updateAllBalances(): Promise<void>
  fetchModels(
    target: { id: number } | { base_url: string; type: number; key: string },
  ): Promise<string[]>
}

/** The frozen prices of one request. */
export interface PriceSnapshot {
  /** Name under which the price was found. */
  name: string
  mode: 'ratio' | 'price'
  /** USD per call; -1 in ratio mode. */
  modelPrice: number
  modelRatio: number
  completionRatio: number
  cacheRatio: number
  createCacheRatio: number
  imageRatio: number
  imageCompletionRatio: number
  audioRatio: number
  audioCompletionRatio: number
  hasImageRatio: boolean
  hasAudioRatio: boolean
  groupRatio: number
  group: string
  quotaPerUnit: number
  toolPrices: Readonly<Record<string, number>>
  /** Multiplies a fixed price: image size × quality × n and the like. */
  factor: number
}

export interface ReceiptLine {
  /** input, cache_read, cache_write_5m, cache_write_1h, output, input_audio, output_audio, input_image, output_image, call, tool:<name> */
  part: string
  count: number
  /** Decimal text: quota units per one of `count`, group ratio included. */
  unit_price: string
  /** Decimal text, unrounded. */
  amount: string
}

export interface Receipt {
  lines: ReceiptLine[]
  /** Integer quota units. */
  total: number
  /** completed, client_left_drained, client_left_counted, upstream_cut, no_output, test … */
  rule: string
}

export interface PricingService {
  /** @throws price.unset (400 model_price_error) */
  snapshot(
    model: string,
    group: string,
    options: { acceptUnset: boolean; isAdmin: boolean },
  ): PriceSnapshot
  /** Units to reserve (relay.md 3.4). */
  estimate(price: PriceSnapshot, input: { promptTokens: number; maxTokens: number }): number
  receipt(price: PriceSnapshot, usage: Usage, rule: string): Receipt
  /** Groups a user may use: name to ratio and description, sorted (api-operations.md 12.2). */
  usableGroups(userGroup: string | undefined): { name: string; ratio: number; desc: string }[]
  groupNames(): string[]
  isPriced(model: string): boolean
  /** Rows of GET /api/pricing. */
  rows(groupsOfModels: Map<string, string[]>): JsonObject[]
}

/** An open reservation; settled or refunded exactly once, the second call is refused and logged. */
export interface Reservation {
  readonly requestId: string
  readonly userId: number
  /** 0 for the playground. */
  readonly tokenId: number
  readonly units: number
}

/** One usage log row to be written with a settlement; field names are the wire's. */
export interface LogRow {
  user_id: number
  username: string
  created_at: number
  type: number
  content: string
  token_name: string
  token_id: number
  model_name: string
  quota: number
  prompt_tokens: number
  completion_tokens: number
  use_time: number
  is_stream: boolean
  channel_id: number
  group: string
  /** JSON text. */
  other: string
  request_id: string
}

export interface LedgerService {
  /** Takes `units` from the user's and, when limited, the token's balance: from the node's lease in memory, else by one conditional update.
   *  @throws quota.insufficient (403 insufficient_user_quota), quota.token_insufficient (403 pre_consume_token_quota_failed) */
  reserve(input: {
    requestId: string
    userId: number
    tokenId: number
    isTokenLimited: boolean
    units: number
  }): Promise<Reservation>
  /** Charges `units` (may differ from the reservation), writes the log row, all in one group commit; resolves when committed. */
  settle(
    reservation: Reservation,
    input: { units: number; channelId: number; log?: LogRow | undefined },
  ): Promise<void>
  /** Gives all of it back; `log` may hold an error row. In memory, then the row in the next commit. */
  release(reservation: Reservation, log?: LogRow): Promise<void>
  /** Raises an open reservation (realtime). @throws as reserve */
  extend(reservation: Reservation, units: number): Promise<Reservation>
  /** Any other change of a user's balance, entered in the ledger inside the caller's transaction. `ref` names the cause; a repeated (kind, ref) is refused.
   *  @throws quota.insufficient when `units` is negative and more than is left */
  change(input: {
    userId: number
    units: number
    kind: LedgerKind
    ref: string
    transaction: Transaction
  }): Promise<{ balance: number }>
  /** Sets the shown balance to an absolute value by entering the difference. */
  setBalance(input: {
    userId: number
    balance: number
    ref: string
    transaction: Transaction
  }): Promise<{ before: number; after: number }>
  /** Sets a token's remaining units (unused lease included). */
  setTokenRemain(tokenId: number, remain: number, transaction: Transaction): Promise<void>
  /** The shown balance, unused leases included. */
  balance(userId: number): Promise<number>
  /** Proves that every balance is the sum of its entries. */
  verify(): Promise<{ users: number; faults: { userId: number; balance: number; sum: number }[] }>
}

export type LedgerKind =
  | 'consume'
  | 'topup'
  | 'gift'
  | 'admin'
  | 'refund'
  | 'invite'
  | 'setup'
  | 'close'
  | 'import'

export interface LogService {
  /** Queues a row of type 1, 3, 4 or 5; written in the next group commit. */
  write(
    row: Partial<LogRow> & { user_id: number; type: number; content: string; other?: string },
  ): void
}

export interface UsageLogQuery {
  userId?: number
  type?: number
  username?: string
  tokenName?: string
  tokenId?: number
  modelName?: string
  start?: number
  end?: number
  channelId?: number
  group?: string
}

export interface UsageLogService {
  list(
    query: UsageLogQuery,
    page: { page: number; pageSize: number },
  ): Promise<{ items: JsonObject[]; total: number; total_exact: boolean }>
  stat(query: UsageLogQuery): Promise<{ quota: number; rpm: number; tpm: number }>
  search(keyword: string, userId?: number): Promise<JsonObject[]>
  deleteBefore(timestampSeconds: number): Promise<number>
}

export interface MailService {
  /** @throws mail.not_configured, mail.failed. Without a mail plugin: not configured. */
  send(message: { to: string; subject: string; html: string }): Promise<void>
  use(
    transport: (message: { to: string; subject: string; html: string }) => Promise<void>,
  ): () => void
}

export interface NotificationService {
  /** At most NOTIFY_LIMIT_COUNT per user and kind in NOTIFICATION_LIMIT_DURATION_MINUTE; never throws. */
  notify(
    userId: number,
    message: { kind: string; title: Text; content: Text; values: string[] },
  ): Promise<void>
}

export interface RateLimitService {
  /** Sliding window of the last `limit` times. Counts when let through. */
  take(
    key: string,
    limit: number,
    windowSeconds: number,
  ): Promise<{ isAllowed: boolean; retryAfterSeconds: number }>
  /** Looks without counting. */
  peek(
    key: string,
    limit: number,
    windowSeconds: number,
  ): Promise<{ isAllowed: boolean; retryAfterSeconds: number }>
}
