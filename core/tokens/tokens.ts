import { tokenStatus } from '../contract/constants.ts'
import type { LOCK, Transaction } from 'sequelize'
import type { ShownToken } from '../contract/channel-services.ts'
import { holdCaller } from '../accounts/hold-caller.ts'
import type { Standing } from '../contract/http.ts'
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
import { type TokenFields, tokens, type TokenRow } from '../data/models/token.ts'
import { users } from '../data/models/user.ts'
import { inSlices } from '../kernel/in-slices.ts'
import { TokenCache } from './token-cache.ts'
import {
  tokenGroupNotUsable,
  tokenNotFound,
  tokenStatusInvalid,
  tokenStillExhausted,
  tokenStillExpired,
  tooManyTokens,
} from './token-errors.ts'
import { readTokenInput, refuseChanged } from './token-input.ts'
import { tokenKeyLength } from './token-key.ts'
import { remainAfter } from './token-remain.ts'
import { orderOf } from './token-order.ts'
import {
  statusNow,
  statusShown,
  statusToStore,
  toTokenRecord,
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
      // A recalled lease shows that an edit was made whose message was missed.
      deps.events.on('user.changed', drop, 'tokens'),
      deps.events.on('token.exhausted', ({ tokenId }) => this.#cache.dropToken(tokenId), 'tokens'),
    ]
  }

  authenticate(key: string): Promise<TokenIdentity | undefined> {
    return this.#cache.get(key)
  }

  /** Makes all nodes read the user and the user's tokens again. */
  async invalidateUser(userId: number): Promise<void> {
    this.#cache.dropUser(userId)
    await this.#deps.cluster.publish(topic, { userId })
  }

  close(): void {
    for (const dispose of this.#disposers.splice(0)) dispose()
  }

  async list(userId: number, page: Parameters<TokenService['list']>[1]) {
    const { rows, count } = await tokens(this.#deps.database).findAndCountAll({
      where: { user_id: userId, deleted_at: null },
      order: orderOf(page),
      offset: page.offset,
      limit: page.limit,
    })
    return { items: rows.map((row) => this.#record(row.get())), total: count }
  }

  /** Keys are stored encrypted, so all tokens of the owner (at most 1000) are decrypted and compared here. */
  async search(
    userId: number,
    query: Parameters<TokenService['search']>[1],
  ): Promise<TokenRecord[]> {
    const found = await tokens(this.#deps.database).findAll({
      where: { user_id: userId, deleted_at: null },
      order: orderOf(query),
    })
    const name = query.keyword.toLowerCase()
    const key = query.token.trim().replace(/^sk-/, '')
    const most = query.status === undefined ? maxSearchResults : maxTokensPerUser
    const rows = found
      .map((row) => row.get())
      .filter((row) => row.name.toLowerCase().includes(name))
      // As shown: expired comes by itself and is never stored.
      .filter((row) => query.status === undefined || this.#shown(row) === query.status)
    const records: TokenRecord[] = []
    await inSlices(this.#opened(rows, { key, most, records }))
    return records
  }

  /** Those whose key has the text in it, one at a time: opening a thousand keys takes longer than others should wait. */
  *#opened(
    rows: readonly TokenRow[],
    { key, most, records }: { key: string; most: number; records: TokenRecord[] },
  ): Iterable<void> {
    for (const row of rows) {
      if (records.length >= most) return
      const record = this.#record(row)
      if (record.key.includes(key)) records.push(record)
      yield
    }
  }

  async find(userId: number, id: number): Promise<TokenRecord> {
    return this.#record(await this.#row(userId, id))
  }

  async create(userId: number, input: TokenInput, caller?: Standing): Promise<TokenRecord> {
    const fields = readTokenInput(input)
    const key = this.#deps.secrets.random(tokenKeyLength)
    const id = await this.#deps.database.transaction(async (transaction) => {
      if (caller) await holdCaller(this.#deps.database, caller, transaction)
      // Locked, so that tokens created at the same time are counted one after the other.
      const { UPDATE: lock } = transaction.LOCK
      await users(this.#deps.database).findByPk(userId, { attributes: ['id'], lock, transaction })
      await this.#checkGroup(userId, fields.group, transaction)
      if ((await this.#count(userId, transaction)) >= maxTokensPerUser) {
        throw tooManyTokens({ max: maxTokensPerUser })
      }
      return this.#insert(userId, key, fields, transaction)
    })
    await this.#changed(userId, id)
    return this.find(userId, id)
  }

  /** Overwrites every field, except a remainder that the page did not change. `status` is what the form showed; it is
   *  only checked.
   *  @throws token.changed, token.still_expired, token.still_exhausted */
  async update(
    userId: number,
    id: number,
    input: TokenInput,
    status?: number,
    shown: ShownToken = {},
  ): Promise<TokenRecord> {
    await this.#deps.database.transaction(async (transaction) => {
      // Locked, because otherwise a charge between reading and writing would be undone.
      const row = await this.#row(userId, id, transaction, transaction.LOCK.UPDATE)
      refuseChanged(row, shown.fields)
      const remain = remainAfter(row, input.remain_quota ?? 0, shown)
      const fields = readTokenInput({ ...input, remain_quota: remain }, row)
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
      if (status !== tokenStatus.enabled) {
        await this.#deps.ledger.recall(userId, id, transaction)
      }
      await tokens(this.#deps.database).update({ status }, { where: { id }, transaction })
    })
    await this.#changed(userId, id)
    return this.find(userId, id)
  }

  async remove(userId: number, id: number): Promise<void> {
    await this.#deps.database.transaction(async (transaction) => {
      await this.#row(userId, id, transaction)
      await this.#deps.ledger.recall(userId, id, transaction)
      const [removed] = await tokens(this.#deps.database).update(
        { deleted_at: this.#now() },
        { where: { id, user_id: userId, deleted_at: null }, transaction },
      )
      if (removed === 0) throw tokenNotFound()
    })
    await this.#changed(userId, id)
  }

  async #changed(userId: number, tokenId: number): Promise<void> {
    await this.invalidateUser(userId)
    this.#deps.events.emit('token.changed', { tokenId, userId })
  }

  /** Every look-up includes the owner, so tokens of others do not exist. */
  async #row(
    userId: number,
    id: number,
    transaction?: Transaction,
    lock?: LOCK.UPDATE,
  ): Promise<TokenRow> {
    const row = await tokens(this.#deps.database).findOne({
      where: { id, user_id: userId, deleted_at: null },
      transaction: transaction ?? null,
      ...(lock ? { lock } : {}),
    })
    if (row === null) throw tokenNotFound()
    return row.get()
  }

  #record(row: TokenRow): TokenRecord {
    return toTokenRecord(row, this.#deps.secrets.decrypt(row.key), this.#nowSeconds())
  }

  #count(userId: number, transaction: Transaction): Promise<number> {
    const where = { user_id: userId, deleted_at: null }
    return tokens(this.#deps.database).count({ where, transaction })
  }

  async #checkGroup(userId: number, group: string, transaction: Transaction): Promise<void> {
    if (group === '' || group === 'auto') return
    const user = await users(this.#deps.database).findByPk(userId, { transaction })
    const usable = this.#deps.pricing.usableGroups(user?.get().group)
    if (!usable.some(({ name }) => name === group)) {
      throw tokenGroupNotUsable({ group: group.slice(0, 64) }, { field: 'group' })
    }
  }

  /** An expired or exhausted token cannot be enabled as long as the cause lasts. */
  #checkUsable(
    shownStatus: number,
    state: Pick<TokenRow, 'expired_time' | 'remain_quota' | 'unlimited_quota'>,
  ): void {
    if (shownStatus !== tokenStatus.expired && shownStatus !== tokenStatus.exhausted) return
    const next = statusNow({ ...state, status: tokenStatus.enabled }, this.#nowSeconds())
    if (next === tokenStatus.expired) throw tokenStillExpired()
    if (next === tokenStatus.exhausted) throw tokenStillExhausted()
  }

  /** Exhausted ends when its cause does; a token that its owner has disabled stays disabled. */
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
    const { database, secrets } = this.#deps
    const now = this.#nowSeconds()
    const made = await tokens(database).create(
      {
        ...fields,
        user_id: userId,
        key: secrets.encrypt(key),
        key_hash: secrets.lookup('token', key),
        status: tokenStatus.enabled,
        created_time: now,
        accessed_time: now,
      },
      { transaction },
    )
    return made.get().id
  }

  /** Writes all fields but remain_quota, which only the ledger writes. */
  async #write(
    id: number,
    fields: TokenFields,
    status: number,
    transaction: Transaction,
  ): Promise<void> {
    const { remain_quota: _remain, ...written } = fields
    const changes = { ...written, status }
    await tokens(this.#deps.database).update(changes, { where: { id }, transaction })
  }
}
