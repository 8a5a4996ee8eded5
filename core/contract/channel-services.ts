// Tokens and channels as plugins see them. Implemented in core/tokens and core/channels.
import type { AutomaticStatus } from './constants.ts'
import type { ChannelRecord } from '../data/models/channel.ts'
import type { Adapter, ChannelView } from './adapter.ts'
import type { HttpOptions } from './http-client.ts'
import type { TokenInput, TokenRecord } from '../data/models/token.ts'
import type { JsonObject } from './json.ts'
import type { Actor } from './account-services.ts'
import type { Standing } from './http.ts'

export type { ChannelRecord, TokenInput, TokenRecord }

/** By these alone a list may be sorted. */
export type TokenSort = 'remain_quota' | 'used_quota' | 'created_time' | 'accessed_time'

/** The order of a list of tokens; without `sort`, newest first. */
export interface TokenOrder {
  sort?: TokenSort
  isAscending?: boolean
}

/** What a page had read of a token before it was edited there; absent fields were not sent. */
export interface ShownToken {
  remain_quota?: number | undefined
  used_quota?: number | undefined
  created_time?: number | undefined
  /** If one of these was changed since, nothing is written. */
  fields?: Readonly<Record<string, unknown>> | undefined
}

export interface TokenService {
  list(
    userId: number,
    page: { offset: number; limit: number } & TokenOrder,
  ): Promise<{ items: TokenRecord[]; total: number }>
  search(
    userId: number,
    query: { keyword: string; token: string; status?: number } & TokenOrder,
  ): Promise<TokenRecord[]>
  find(userId: number, id: number): Promise<TokenRecord>
  /** Refused if the caller's session or access token has ended; see `AccountService.update`. @throws auth.required */
  create(userId: number, input: TokenInput, caller?: Standing): Promise<TokenRecord>
  /** `shown` is what the page had read: the remaining quota changes by the difference to it, so that what calls have spent in the meantime stays spent. */
  update(
    userId: number,
    id: number,
    input: TokenInput,
    status?: number,
    shown?: ShownToken,
  ): Promise<TokenRecord>
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
  /** Remaining units when last read; only for early refusal, the ledger decides. */
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

/** How the attempts of the last hour went, on all nodes. */
export interface RecentChannelHealth {
  succeeded: number
  /** Does not count faults of callers. */
  failed: number
  last_error: { failure_class: string; message: string; time: number } | null
}

export interface ChannelStanding {
  enabled: number
  disabled: number
  auto_disabled: number
  failing: ({ id: number; name: string } & RecentChannelHealth)[]
}

/** What is listed, and in which order; absent: all. */
export interface ChannelFilter {
  keyword?: string
  group?: string
  model?: string
  status?: number
  type?: number
  tag?: string
  sort?: ChannelSort
  isAscending?: boolean
}

/** By these alone a list may be sorted. */
export type ChannelSort = 'id' | 'used_quota' | 'response_time' | 'balance' | 'priority'

/** Keys of one channel that their provider refused. */
export interface RefusedKeys {
  /** From 1. They move when other keys are taken out. */
  positions: readonly number[]
  /** The channel's other_info as whoever names them had read it, so that no other keys are meant. */
  shown?: string | undefined
}

export type ChannelRunKind = 'test' | 'balance'

/** One run over all channels. Times are of the database's clock, in Unix seconds. */
export interface ChannelRun {
  kind: ChannelRunKind
  /** `stopping`: somebody has asked the node to stop it. `failed`: it broke off, the server log says why. `lost`: the process that ran it
   *  has ended. */
  state: 'running' | 'stopping' | 'done' | 'stopped' | 'failed' | 'lost'
  /** The machine and the process that ran it. */
  host: string
  /** Who began it; empty: the schedule. */
  username: string
  /** Empty if nobody did. */
  stopped_by: string
  /** Channels. */
  total: number
  /** Channels so far, with those that failed and those that were skipped. */
  done: number
  failed: number
  /** Channels whose upstream offers no test, or no balance. */
  skipped: number
  started_at: number
  /** Of a `lost` run: when it was heard of last. 0 while it goes on. */
  ended_at: number
}

export interface ChannelService {
  list(
    query: {
      /** How many channels to skip and to return at most; with `isByTag`, how many tags. */
      offset: number
      limit: number
      isSortedById: boolean
      isByTag: boolean
    } & ChannelFilter,
  ): Promise<{ items: ChannelRecord[]; total: number }>
  /** The tags in use, in the order of their names. */
  tags(): Promise<string[]>
  recentHealth(id: number): RecentChannelHealth
  /** The channels with the most failed attempts of the last hour, worst first, and how many there are in each state; from memory. */
  standing(most: number): ChannelStanding
  find(id: number): Promise<ChannelRecord>
  /** As the admin entered it, one key per line; only for somebody who has just proved who he is. */
  storedKey(id: number): Promise<string>
  create(input: JsonObject): Promise<number[]>
  update(input: JsonObject): Promise<ChannelRecord>
  /** Uses the keys again. @throws channel.key_not_refused, channel.changed */
  enableKeys(id: number, keys: RefusedKeys): Promise<ChannelRecord>
  /** Takes them out of the channel. @throws channel.key_not_refused, channel.changed, channel.keys_gone */
  removeKeys(id: number, keys: RefusedKeys): Promise<ChannelRecord>
  copy(id: number): Promise<number>
  remove(ids: readonly number[]): Promise<number>
  removeDisabled(): Promise<number>
  /** Switches them by hand, all or none. @returns how many have changed */
  setStatus(ids: readonly number[], status: number): Promise<number>
  setTagStatus(tag: string, status: number): Promise<void>
  editTag(input: JsonObject): Promise<void>
  tagChannels(ids: readonly number[], tag: string | null): Promise<number>
  /** Makes every node read all channels again. @returns how many there are */
  rebuildRouting(): Promise<number>
  /** Models with an enabled channel that an adapter serves, in the order of their names; from memory. */
  enabledModels(): Promise<string[]>
  /** The models of these groups together. */
  modelsOfGroups(groups: readonly string[]): Promise<string[]>
  /** The groups of each of these models. */
  groupsOfModels(): Promise<ReadonlyMap<string, readonly string[]>>
  /** Decrypted view for adapters. */
  view(id: number): Promise<ChannelView | undefined>
  /** Automatic changes: status 3 with reason and time, or back to 1. */
  setAutomatic(id: number, status: AutomaticStatus, reason: string): Promise<void>
  /** `fault`: why the test failed; left out, it went well. */
  recordTest(id: number, responseMs: number, fault?: string): Promise<void>
  recordBalance(id: number, usd: number): Promise<void>
  adapterOf(type: number): Adapter | undefined
  adapters(): readonly Adapter[]
  httpOptionsOf(channel: ChannelView): HttpOptions
  /** One test call through the normal adapter; records time, charges nobody. `language`: of our own words in the error, English if left
   *  out; the upstream's stay as they are. */
  test(
    id: number,
    model: string | undefined,
    actor: Actor,
    language?: 'en' | 'zh',
  ): Promise<{ seconds: number; error?: { message: string; disables: boolean } }>
  /** Starts the background run over all channels. Its log rows name `actor`, also where the schedule begins it. @throws channel.test_running */
  testAll(actor: Actor, isScheduled?: boolean): Promise<void>
  updateBalance(id: number): Promise<number>
  /** Does nothing while such a run is under way. Without `actor` it is the schedule that begins it. */
  updateAllBalances(actor?: Pick<Actor, 'username'>): Promise<void>
  /** The tests and balances of all channels that were begun last, on whichever node: at most one of each kind. */
  runs(): Promise<ChannelRun[]>
  /** Stops the run of this kind, if one is under way; on another node that takes some seconds. */
  stopRun(kind: ChannelRunKind, actor: Pick<Actor, 'username'>): Promise<void>
  fetchModels(
    target: { id: number } | { base_url: string; type: number; key: string; setting?: string },
  ): Promise<string[]>
}
