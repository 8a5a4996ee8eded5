import { logType } from '#console'
import type { LogRecord } from '../schema.ts'

/** One row as `/api/log/` sends it. A user's own rows have ids that repeat: no key. */
export interface LogRow extends Omit<LogRecord, 'token_id' | 'request_id'> {
  /** Ours: the place on the page. */
  place: number
  request_id?: string
}

export interface ReceiptLine {
  part: string
  count: number
  /** Decimal texts, in quota units. */
  unit_price: string
  amount: string
}

/** What `other` explains; every key may be missing in rows of older versions. */
export interface LogFacts {
  model_ratio?: number
  group_ratio?: number
  completion_ratio?: number
  /** -1: charged by ratio. */
  model_price?: number
  /** What the length of the prompt made of the model's prices: factors. */
  price_step?: { above: number; input: number; output: number; cache_read?: number }
  cache_tokens?: number
  cache_ratio?: number
  cache_creation_ratio?: number
  cache_creation_ratio_1h?: number
  audio_ratio?: number
  audio_completion_ratio?: number
  image_ratio?: number
  web_search_price?: number
  file_search_price?: number
  /** Milliseconds to the first output; below 0: none. */
  frt?: number
  is_model_mapped?: boolean
  upstream_model_name?: string
  reasoning_effort?: string
  finish_reason?: string
  estimated?: boolean
  dropped_params?: string[]
  end?: string
  receipt?: { lines: ReceiptLine[]; total: number }
  request_path?: string
  error_type?: string
  error_code?: string | number | null
  status_code?: number
  op?: string
  /** Of a plugin, a channel, an account. */
  id?: string | number
  key?: string
  enabled?: boolean
  unparked?: boolean
  /** Of an action on an account: what, and by whom. */
  action?: string
  by?: string
  /** Of an account, those that were changed, and its group before and after. */
  fields?: string[]
  groups?: [string, string]
  /** Quota units. */
  before?: number
  after?: number
  amount?: number
  /** Of what was taken back: units that were spent already. */
  missing?: number
  /** Of an order: its number, and what was paid; rows of older versions lack the currency. */
  trade_no?: string
  money?: string
  currency?: string
  redemption_id?: number
  task_id?: string
  count?: number
  admin_info?: { use_channel?: string[]; upstream_message?: string; attempts?: Attempt[] }
}

/** One try of a call, for admins. */
export interface Attempt {
  channel_id: number
  /** Empty: the channel is gone. */
  channel_name?: string
  status: number
  /** Left out: it answered. */
  failure_class?: string
  /** In Unix milliseconds; rows of older versions lack it. */
  started_at_ms?: number
  duration_ms: number
}

export const logTypes = Object.values(logType)

const noFacts: LogFacts = {}

export function factsOf({ other }: Pick<LogRow, 'other'>): LogFacts {
  if (!other) return noFacts
  try {
    const parsed: unknown = JSON.parse(other)
    return typeof parsed === 'object' && parsed !== null ? parsed : noFacts
  } catch {
    return noFacts
  }
}

/** Channels in the order of the attempts. */
export function triedChannels(row: LogRow): string[] {
  return factsOf(row).admin_info?.use_channel ?? []
}

export function attemptsOf(row: LogRow): Attempt[] {
  return factsOf(row).admin_info?.attempts ?? []
}

export function isCall({ type }: LogRow): boolean {
  return type === logType.consume
}

/** A failed attempt; those of older versions do not say how long it took. */
export function isFailure(row: LogRow): boolean {
  return row.type === logType.error && row.use_time_ms > 0
}

/** A channel test: its price stands there for information, nobody pays it. */
export function isTest(row: LogRow): boolean {
  return factsOf(row).op === 'channel_test'
}

/** Milliseconds of the whole call; never less than those to its first token. */
export function durationOf(row: LogRow): number {
  return Math.max(row.use_time_ms, factsOf(row).frt ?? 0)
}

export type Speed = 'good' | 'slow' | 'bad'

/** Seconds of the whole call. */
export function speedOfCall(seconds: number): Speed {
  return seconds < 101 ? 'good' : seconds < 300 ? 'slow' : 'bad'
}

export function speedOfFirstToken(ms: number): Speed {
  return ms < 3000 ? 'good' : ms < 10_000 ? 'slow' : 'bad'
}
