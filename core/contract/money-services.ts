// Prices, receipts, the ledger and the usage log as plugins see them. Implemented in core/billing and core/logs.
import type { Transaction } from 'sequelize'
import type { LogRecord, LogRow } from '../data/models/log.ts'
import type { Usage } from './neutral.ts'
import type { JsonObject } from './json.ts'
import type { PriceStep } from './prices.ts'

export type { LogRecord, LogRow }

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
  /** What prompts above a length cost, the shortest first. */
  steps?: readonly PriceStep[]
  /** Prices of the model with which a tool of the provider draws, where the call has that tool. */
  drawing?: PriceSnapshot
  /** Prices of the model that wrote pictures as SVG. */
  svg?: PriceSnapshot
  /** Prices of the models to which a session delegates work, by the client's names. */
  delegates?: ReadonlyMap<string, PriceSnapshot>
  /** Multiplies a fixed price: image size × quality × n and the like. */
  factor: number
  /** The charged share of all that, 0 to 1; absent: all of it. Set for an answer from a response cache. */
  share?: number
}

export interface ReceiptLine {
  /** input, cache_read, cache_write_5m, cache_write_1h, cache_write_12h, output, input_audio, output_audio, input_image, output_image, call, tool:<name>; image_generation:<part> for what a tool drew, svg:<part> for what the author of an SVG used,
   *  delegated:<part>@<model> for what a session had another model do */
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
  /** The step that the length of the prompt reached. */
  step?: PriceStep
  /** completed, client_left_drained, client_left_counted, client_left_unsent, upstream_cut, no_output, test … */
  rule: string
}

export interface PricingService {
  /** @param options `field`: where the request names the model, if not in `model`
   *  @throws price.unset (400 model_price_error) */
  snapshot(
    model: string,
    group: string,
    options: { acceptUnset: boolean; isAdmin: boolean; field?: string },
  ): PriceSnapshot
  /** Units to reserve. `maxTokens` is the limit of each of the `answers` (default 1). */
  estimate(
    price: PriceSnapshot,
    input: { promptTokens: number; maxTokens: number; answers?: number },
  ): number
  receipt(price: PriceSnapshot, usage: Usage, rule: string): Receipt
  /** Groups a user may use: name to ratio and description, sorted. */
  usableGroups(userGroup: string | undefined): { name: string; ratio: number; desc: string }[]
  groupNames(): string[]
  isPriced(model: string): boolean
  /** Changes with every change of prices or groups. */
  readonly revision: number
  /** Rows of GET /api/pricing. */
  rows(groupsOfModels: ReadonlyMap<string, readonly string[]>): JsonObject[]
}

/** An open reservation; settled or released exactly once. A second call is refused and logged. */
export interface Reservation {
  readonly requestId: string
  readonly userId: number
  /** 0 for the playground. */
  readonly tokenId: number
  readonly units: number
}

export interface LedgerService {
  /** Takes `units` from the user's and, when limited, the token's balance: from the node's lease in memory, else by one conditional update.
   *  @throws quota.insufficient (403 insufficient_user_quota), quota.token_insufficient (403 pre_consume_token_quota_failed),
   *  quota.token_exhausted (403 token_quota_exhausted) */
  reserve(input: {
    requestId: string
    userId: number
    tokenId: number
    isTokenLimited: boolean
    units: number
  }): Promise<Reservation>
  /** How many reservations of a user are open on this node. */
  openCount(userId: number): number
  /** Charges `units` (may differ from the reservation), writes the log row, all in one group commit; resolves when committed. */
  settle(
    reservation: Reservation,
    input: { units: number; channelId: number; log?: LogRow | undefined },
  ): Promise<void>
  /** Returns the whole reservation, in memory; `log`, e.g. an error row, is written in the next commit. */
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
    /** Takes also what open calls have reserved and nodes have leased in advance. Those calls are charged what they cost, so a debt may be left. */
    includesReserved?: boolean
  }): Promise<{ balance: number }>
  /** Sets the shown balance to an absolute value by entering the difference.
   *  @throws quota.changed, only with `seen` */
  setBalance(input: NewBalance): Promise<{ before: number; after: number }>
  /** Sets a token's remaining units (unused lease included). */
  setTokenRemain(tokenId: number, remain: number, transaction: Transaction): Promise<void>
  /** Takes back what all nodes have leased from a user and from one of his tokens (0: none), when they may not spend any more. */
  recall(userId: number, tokenId: number, transaction: Transaction): Promise<void>
  /** The shown balance, unused leases included. */
  balance(userId: number): Promise<number>
  /** The same for many users, by id; removed users are missing. */
  balances(userIds: readonly number[]): Promise<ReadonlyMap<number, number>>
  /** Proves that every balance is the sum of its entries. */
  verify(): Promise<{ users: number; faults: { userId: number; balance: number; sum: number }[] }>
}

export interface NewBalance {
  userId: number
  balance: number
  ref: string
  transaction: Transaction
  /** What the new balance was chosen on sight of: it is refused if the balance was changed meanwhile. With `used_quota`, what calls spend is no
   *  such change and stays spent; an emptied balance is empty all the same. */
  seen?: { quota: number; used_quota?: number } | undefined
}

export type LedgerKind =
  | 'consume'
  /** Old entries of calls, folded into their sum. */
  | 'carried'
  | 'topup'
  | 'gift'
  | 'admin'
  | 'refund'
  | 'invite'
  | 'setup'
  | 'close'
  | 'import'

export type NewLogRow = Partial<LogRow> & { user_id: number; type: number; content: string }

export interface LogService {
  /** Queues a row of type 1, 3, 4 or 5 for the next group commit. A row that must not be lost goes through `writeIn`. */
  write(row: NewLogRow): void
  /** Writes a row in the transaction of what it reports, so that both happen or neither: moved money, secrets that were shown. */
  writeIn(row: NewLogRow, transaction: Transaction): Promise<void>
}

export interface UsageLogQuery {
  userId?: number
  type?: number
  username?: string
  tokenName?: string
  tokenId?: number
  modelName?: string
  start?: number | undefined
  end?: number | undefined
  channelId?: number
  group?: string
  /** No index names it: give the span of time in which its call was. */
  requestId?: string
}

export interface UsageLogService {
  list(
    query: UsageLogQuery,
    page: { page: number; pageSize: number },
  ): Promise<{ items: LogRecord[]; total: number; total_exact: boolean }>
  /** All rows of a query, newest first, `size` at a time; rows that arrive in the meantime are left out. */
  slices(query: UsageLogQuery, size: number): AsyncIterable<LogRecord[]>
  /** Of those that still exist. */
  channelNames(ids: readonly number[]): Promise<ReadonlyMap<number, string>>
  stat(query: UsageLogQuery): Promise<{ quota: number; rpm: number; tpm: number }>
  search(keyword: string, userId?: number): Promise<LogRecord[]>
  /** Deletes the oldest first, all or at most `most`, after jobs with `readLog` have read them. @returns how many were deleted */
  deleteBefore(timestampSeconds: number, most?: number, watch?: DeletionWatch): Promise<number>
}

export interface DeletionWatch {
  /** Ends the deletion between two slices; deleted rows stay deleted. */
  signal?: AbortSignal
  /** Called after each slice with the number deleted so far. */
  onProgress?(count: number): void
}
