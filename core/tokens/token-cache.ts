import { splitList } from '../contract/comma-list.ts'
import { tokenStatus } from '../contract/constants.ts'
import { LRUCache } from 'lru-cache'
import type { DatabaseService, SecretService, TokenIdentity } from '../contract/services.ts'
import { readAddressList } from './address-list.ts'
import { tokens } from '../data/models/token.ts'
import { parseSetting } from '../data/models/user-setting.ts'
import { selectIdentity, type IdentityRow } from './token-identity-sql.ts'
import { isTokenKey } from './token-key.ts'
import { statusNow, statusToStore } from './token-row.ts'

interface Known {
  answer: Promise<TokenIdentity>
  tokenId: number
  userId: number
  staleAtMs: number
}

/** Changes arrive over the cluster bus; these times limit the effect of a lost message. */
const knownForMs = 30_000
const unknownForMs = 10_000

/** Tokens with their owners, by the key that clients send. */
export class TokenCache {
  readonly #database: DatabaseService
  readonly #secrets: SecretService
  readonly #nowMs: () => number
  readonly #known = new LRUCache<string, Known>({ max: 50_000 })
  /** Separate from the known tokens, so that a flood of wrong keys cannot push them out. Value: until when, in ms. */
  readonly #unknown = new LRUCache<string, number>({ max: 10_000 })
  readonly #loading = new Map<string, Promise<TokenIdentity | undefined>>()

  constructor(deps: {
    database: DatabaseService
    secrets: SecretService
    nowMs?: (() => number) | undefined
  }) {
    this.#database = deps.database
    this.#secrets = deps.secrets
    this.#nowMs = deps.nowMs ?? Date.now
  }

  get(key: string): Promise<TokenIdentity | undefined> {
    const known = this.#known.get(key)
    if (known !== undefined && this.#nowMs() < known.staleAtMs) return known.answer
    if (!isTokenKey(key) || this.#nowMs() < (this.#unknown.get(key) ?? 0)) {
      return Promise.resolve(undefined)
    }
    return this.#loading.get(key) ?? this.#load(key)
  }

  /** Forgets the tokens of a user. Reads that are under way may be outdated: they answer their callers, but are not kept. */
  dropUser(userId: number): void {
    this.#drop((known) => known.userId === userId)
  }

  /** As dropUser, for one token. */
  dropToken(tokenId: number): void {
    this.#drop((known) => known.tokenId === tokenId)
  }

  #drop(isMeant: (known: Known) => boolean): void {
    this.#loading.clear()
    for (const [key, known] of this.#known.entries()) {
      if (isMeant(known)) this.#known.delete(key)
    }
  }

  clear(): void {
    this.#loading.clear()
    this.#known.clear()
    this.#unknown.clear()
  }

  #load(key: string): Promise<TokenIdentity | undefined> {
    const load = this.#read(key).then(
      (identity) => {
        if (this.#loading.get(key) === load) this.#keep(key, identity)
        return identity
      },
      (error: unknown) => {
        if (this.#loading.get(key) === load) this.#loading.delete(key)
        throw error
      },
    )
    this.#loading.set(key, load)
    return load
  }

  #keep(key: string, identity: TokenIdentity | undefined): void {
    this.#loading.delete(key)
    const now = this.#nowMs()
    if (identity === undefined) {
      this.#known.delete(key)
      this.#unknown.set(key, now + unknownForMs)
      return
    }
    const expiresAtMs =
      identity.status === tokenStatus.enabled && identity.expiredTime !== -1
        ? (identity.expiredTime + 1) * 1000
        : Infinity
    this.#known.set(key, {
      answer: Promise.resolve(identity),
      tokenId: identity.tokenId,
      userId: identity.userId,
      staleAtMs: Math.min(now + knownForMs, expiresAtMs),
    })
  }

  async #read(key: string): Promise<TokenIdentity | undefined> {
    const hash = this.#secrets.lookup('token', key)
    const row = await selectIdentity(this.#database, hash)
    if (row === undefined) return undefined
    const status = statusToStore(row)
    if (status !== row.status) {
      const where = { id: row.id, status: row.status }
      await tokens(this.#database).update({ status }, { where })
    }
    return identityOf(row, statusNow(row, Math.floor(this.#nowMs() / 1000)))
  }
}

function identityOf(row: IdentityRow, status: number): TokenIdentity {
  return Object.freeze({
    tokenId: row.id,
    tokenName: row.name,
    status,
    expiredTime: row.expired_time,
    isUnlimited: Boolean(row.unlimited_quota),
    remainQuota: row.remain_quota,
    models: row.model_limits_enabled ? new Set(splitList(row.model_limits)) : null,
    allowAddresses: readAddressList(row.allow_ips),
    tokenGroup: row.token_group,
    userId: row.user_id,
    username: row.username,
    userGroup: row.user_group,
    userRole: row.role,
    userStatus: row.user_status,
    acceptUnsetRatio: parseSetting(row.setting).accept_unset_model_ratio_model === true,
  })
}
