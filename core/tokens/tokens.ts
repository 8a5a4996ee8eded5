import type { Transaction } from 'sequelize'
import type { EventBus } from '../contract/events.ts'
import type { JsonObject } from '../contract/json.ts'
import type {
  ClusterBus,
  DatabaseService,
  LedgerService,
  PricingService,
  SecretService,
  TokenIdentity,
  TokenInput,
  TokenRecord,
  TokenService,
} from '../contract/services.ts'
import { userTopic } from '../accounts/user-changes.ts'
import { TokenCache } from './token-cache.ts'
import {
  tokenGroupNotUsable,
  tokenNotFound,
  tokenStatusInvalid,
  tokenStillExhausted,
  tokenStillExpired,
  tooManyTokens,
} from './token-errors.ts'
import { readTokenInput, type TokenFields } from './token-input.ts'
import { tokenKeyLength } from './token-key.ts'
import {
  selectTokens,
  statusNow,
  statusShown,
  statusToStore,
  toTokenRecord,
  tokenStatus,
  type TokenRow,
  type TokenState,
} from './token-row.ts'

const topic = 'tokens'
const maxTokensPerUser = 1000
const maxSearchResults = 100

export interface TokensDeps {
  database: DatabaseService
  secrets: SecretService
  ledger: Pick<LedgerService, 'setTokenRemain' | 'recall'>
  events: EventBus
  pricing: Pick<PricingService, 'usableGroups'>
  cluster: ClusterBus
  now?: () => Date
}

export function createTokens(deps: TokensDeps): Tokens {
  return new Tokens(deps)
}

export class Tokens implements TokenService {
  readonly #deps: TokensDeps
  readonly #now: () => Date
  readonly #cache: TokenCache
  readonly #disposers: (() => void)[]

  constructor(deps: TokensDeps) {
    this.#deps = deps
    this.#now = deps.now ?? (() => new Date())
    this.#cache = new TokenCache({ ...deps, nowMs: () => this.#now().getTime() })
    const drop = ({ userId }: JsonObject): void => {
      if (typeof userId === 'number') this.#cache.dropUser(userId)
    }
    const clear = (): void => this.#cache.clear()
    this.#disposers = [
      deps.cluster.subscribe(topic, drop, clear),
      deps.cluster.subscribe(userTopic, drop, clear),
      // A recalled lease tells of an edit whose message was missed.
      deps.events.on('user.changed', drop, 'tokens'),
      deps.events.on('token.exhausted', ({ tokenId }) => this.#cache.dropToken(tokenId), 'tokens'),
    ]
  }

  authenticate(key: string): Promise<TokenIdentity | undefined> {
    return this.#cache.get(key)
  }

  /** Makes every node read the user and their tokens anew. */
  async invalidateUser(userId: number): Promise<void> {
    this.#cache.dropUser(userId)
    await this.#deps.cluster.publish(topic, { userId })
  }

  close(): void {
    for (const dispose of this.#disposers.splice(0)) dispose()
  }

  async list(userId: number, page: { offset: number; limit: number }) {
    const items = await this.#deps.database.select<TokenRow>(
      `${selectTokens} WHERE user_id = :userId AND deleted_at IS NULL
       ORDER BY id DESC LIMIT :limit OFFSET :offset`,
      { userId, ...page },
    )
    return { items: items.map((row) => this.#record(row)), total: await this.#count(userId) }
  }

  /** Keys are stored sealed, so the owner's rows (at most 1000) are opened and compared here. */
  async search(userId: number, query: { keyword: string; token: string }): Promise<TokenRecord[]> {
    const rows = await this.#deps.database.select<TokenRow>(
      `${selectTokens} WHERE user_id = :userId AND deleted_at IS NULL ORDER BY id DESC`,
      { userId },
    )
    const name = query.keyword.toLowerCase()
    const key = query.token.trim().replace(/^sk-/, '')
    return rows
      .filter((row) => row.name.toLowerCase().includes(name))
      .map((row) => this.#record(row))
      .filter((token) => token.key.includes(key))
      .slice(0, maxSearchResults)
  }

  async find(userId: number, id: number): Promise<TokenRecord> {
    return this.#record(await this.#row(userId, id))
  }

  async create(userId: number, input: TokenInput): Promise<TokenRecord> {
    const fields = readTokenInput(input)
    const key = this.#deps.secrets.random(tokenKeyLength)
    const id = await this.#deps.database.transaction(async (transaction) => {
      await this.#checkGroup(userId, fields.group, transaction)
      if ((await this.#count(userId, transaction)) >= maxTokensPerUser) {
        throw tooManyTokens({ max: maxTokensPerUser })
      }
      return this.#insert(userId, key, fields, transaction)
    })
    await this.#changed(userId, id)
    return this.find(userId, id)
  }

  /** Overwrites every field; `status` is what the form showed, and only asked whether it can be true.
   *  @throws token.still_expired, token.still_exhausted */
  async update(
    userId: number,
    id: number,
    input: TokenInput,
    status?: number,
  ): Promise<TokenRecord> {
    await this.#deps.database.transaction(async (transaction) => {
      const row = await this.#row(userId, id, transaction)
      const fields = readTokenInput(input, row)
      if (fields.group !== row.group) await this.#checkGroup(userId, fields.group, transaction)
      if (status === tokenStatus.enabled) this.#checkUsable(this.#shown(row), fields)
      await this.#write(id, fields, this.#statusAfter(row.status, fields), transaction)
      if (fields.remain_quota !== row.remain_quota) {
        await this.#deps.ledger.setTokenRemain(id, fields.remain_quota, transaction)
      }
    })
    await this.#changed(userId, id)
    return this.find(userId, id)
  }

  /** @throws token.status_invalid, token.still_expired, token.still_exhausted */
  async setStatus(userId: number, id: number, status: number): Promise<TokenRecord> {
    if (status !== tokenStatus.enabled && status !== tokenStatus.disabled) {
      throw tokenStatusInvalid({}, { field: 'status' })
    }
    await this.#deps.database.transaction(async (transaction) => {
      const row = await this.#row(userId, id, transaction)
      if (status === tokenStatus.enabled) this.#checkUsable(this.#shown(row), row)
      await this.#deps.database.run(
        'UPDATE tokens SET status = :status WHERE id = :id',
        { id, status },
        transaction,
      )
      if (status !== tokenStatus.enabled) {
        await this.#deps.ledger.recall(userId, id, transaction)
      }
    })
    await this.#changed(userId, id)
    return this.find(userId, id)
  }

  async remove(userId: number, id: number): Promise<void> {
    await this.#deps.database.transaction(async (transaction) => {
      const removed = await this.#deps.database.run(
        'UPDATE tokens SET deleted_at = :now WHERE id = :id AND user_id = :userId AND deleted_at IS NULL',
        { id, userId, now: this.#now().toISOString() },
        transaction,
      )
      if (removed === 0) throw tokenNotFound()
      await this.#deps.ledger.recall(userId, id, transaction)
    })
    await this.#changed(userId, id)
  }

  async #changed(userId: number, tokenId: number): Promise<void> {
    await this.invalidateUser(userId)
    this.#deps.events.emit('token.changed', { tokenId, userId })
  }

  /** Every look-up names the owner: a token of someone else does not exist. */
  async #row(userId: number, id: number, transaction?: Transaction): Promise<TokenRow> {
    const [row] = await this.#deps.database.select<TokenRow>(
      `${selectTokens} WHERE id = :id AND user_id = :userId AND deleted_at IS NULL`,
      { id, userId },
      transaction,
    )
    if (row === undefined) throw tokenNotFound()
    return row
  }

  #record(row: TokenRow): TokenRecord {
    return toTokenRecord(row, this.#deps.secrets.decrypt(row.key), this.#nowSeconds())
  }

  async #count(userId: number, transaction?: Transaction): Promise<number> {
    const [row] = await this.#deps.database.select<{ total: number }>(
      'SELECT COUNT(*) AS total FROM tokens WHERE user_id = :userId AND deleted_at IS NULL',
      { userId },
      transaction,
    )
    return row?.total ?? 0
  }

  async #checkGroup(userId: number, group: string, transaction: Transaction): Promise<void> {
    if (group === '' || group === 'auto') return
    const [user] = await this.#deps.database.select<{ group: string }>(
      'SELECT "group" FROM users WHERE id = :userId',
      { userId },
      transaction,
    )
    const usable = this.#deps.pricing.usableGroups(user?.group)
    if (!usable.some(({ name }) => name === group)) {
      throw tokenGroupNotUsable({ group: group.slice(0, 64) }, { field: 'group' })
    }
  }

  /** An expired or exhausted token cannot be switched on while the cause lasts. */
  #checkUsable(
    shownStatus: number,
    state: Pick<TokenRow, 'expired_time' | 'remain_quota' | 'unlimited_quota'>,
  ): void {
    if (shownStatus !== tokenStatus.expired && shownStatus !== tokenStatus.exhausted) return
    const next = statusNow({ ...state, status: tokenStatus.enabled }, this.#nowSeconds())
    if (next === tokenStatus.expired) throw tokenStillExpired()
    if (next === tokenStatus.exhausted) throw tokenStillExhausted()
  }

  /** Exhausted ends with its cause; what its owner disabled stays disabled. */
  #statusAfter(
    storedStatus: number,
    state: Pick<TokenRow, 'expired_time' | 'remain_quota' | 'unlimited_quota'>,
  ): number {
    if (storedStatus === tokenStatus.disabled) return storedStatus
    return statusToStore({ ...state, status: tokenStatus.enabled })
  }

  #shown(token: TokenState): number {
    return statusShown(token, this.#nowSeconds())
  }

  #nowSeconds(): number {
    return Math.floor(this.#now().getTime() / 1000)
  }

  async #insert(
    userId: number,
    key: string,
    fields: TokenFields,
    transaction: Transaction,
  ): Promise<number> {
    const now = this.#nowSeconds()
    const [row] = await this.#deps.database.select<{ id: number }>(
      `INSERT INTO tokens (user_id, "key", key_hash, status, name, created_time, accessed_time,
         expired_time, remain_quota, unlimited_quota, model_limits_enabled, model_limits, allow_ips, "group")
       VALUES (:userId, :sealed, :hash, :status, :name, :now, :now, :expired_time, :remain_quota,
         :unlimited_quota, :model_limits_enabled, :model_limits, :allow_ips, :group) RETURNING id`,
      {
        ...fields,
        userId,
        now,
        status: tokenStatus.enabled,
        sealed: this.#deps.secrets.encrypt(key),
        hash: this.#deps.secrets.lookup('token', key),
      },
      transaction,
    )
    if (row === undefined) throw new Error('the new token has no id')
    return row.id
  }

  /** All but remain_quota, which only the ledger writes. */
  async #write(
    id: number,
    fields: TokenFields,
    status: number,
    transaction: Transaction,
  ): Promise<void> {
    await this.#deps.database.run(
      `UPDATE tokens SET name = :name, expired_time = :expired_time, status = :status,
         unlimited_quota = :unlimited_quota, model_limits_enabled = :model_limits_enabled,
         model_limits = :model_limits, allow_ips = :allow_ips, "group" = :group
       WHERE id = :id`,
      { ...fields, id, status },
      transaction,
    )
  }
}
