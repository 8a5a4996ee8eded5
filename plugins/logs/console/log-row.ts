import { logType, objectIn } from '#console'
import type { LogRecord } from '../schema.ts'

/** One row as `/api/log/` sends it. The ids of a user's own rows repeat, so they are no keys. */
export interface LogRow extends Omit<LogRecord, 'token_id' | 'request_id'> {
  /** The position on the page, added by the console. */
  place: number
  request_id?: string
}

export interface ReceiptLine {
  part: string
  count: number
  /** Decimal numbers as text, in quota units. */
  unit_price: string
  amount: string
}

/** The contents of `other`. Rows of older versions may lack any key. */
export interface LogFacts {
  model_ratio?: number
  group_ratio?: number
  completion_ratio?: number
  /** -1: charged by ratio. */
  model_price?: number
  /** What number, size and quality of pictures made of the price. */
  price_factor?: number
  /** Of an answer from a cache: what it costs of the price. */
  response_cache?: { share: number }
  /** The factors that the length of the prompt put on the model's prices. */
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
  /** Whose prices the pictures that a tool drew are charged at. */
  image_generation_model?: string
  svg_model?: string
  /** Milliseconds to the first output; negative if there was none. */
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
  /** The name of a plugin, a channel or an account. */
  id?: string | number
  /** The name of a channel when the row was written, and why the gateway disabled it. */
  name?: string
  reason?: string
  /** Which of the channel's keys is passed over, and how many are left. */
  position?: number
  left?: number
  /** Of several channels. */
  ids?: number[]
  key?: string
  enabled?: boolean
  unparked?: boolean
  /** For an action on an account: the action, and who did it. */
  action?: string
  by?: string
  /** For an account: the fields that were changed, and its group before and after. */
  fields?: string[]
  groups?: [string, string]
  /** In quota units. */
  before?: number
  after?: number
  amount?: number
  /** The part of the units taken back that had already been spent. */
  missing?: number
  /** For an order: its number, and what was paid. Rows of older versions lack the currency. */
  trade_no?: string
  money?: string
  currency?: string
  redemption_id?: number
  task_id?: string
  count?: number
  admin_info?: { use_channel?: string[]; upstream_message?: string; attempts?: Attempt[] }
}

/** One attempt of the call; only admins get it. */
export interface Attempt {
  channel_id: number
  /** Empty if the channel has been deleted. */
  channel_name?: string
  status: number
  /** Left out if the channel answered. */
  failure_class?: string
  /** In Unix milliseconds; rows of older versions lack it. */
  started_at_ms?: number
  duration_ms: number
}

export const logTypes = Object.values(logType)

const noFacts: LogFacts = {}

export function factsOf({ other }: Pick<LogRow, 'other'>): LogFacts {
  return objectIn(other) ?? noFacts
}

/** The channels in the order of the attempts. */
export function triedChannels(row: LogRow): string[] {
  return factsOf(row).admin_info?.use_channel ?? []
}

export function attemptsOf(row: LogRow): Attempt[] {
  return factsOf(row).admin_info?.attempts ?? []
}

export function isCall({ type }: LogRow): boolean {
  return type === logType.consume
}

/** A failed attempt; older versions did not store how long it took. */
export function isFailure(row: LogRow): boolean {
  return row.type === logType.error && row.use_time_ms > 0
}

/** A channel test, whose price is for information only. */
export function isTest(row: LogRow): boolean {
  return factsOf(row).op === 'channel_test'
}

/** The duration of the whole call in milliseconds, at least the time to its first token. */
export function durationOf(row: LogRow): number {
  return Math.max(row.use_time_ms, factsOf(row).frt ?? 0)
}

export type Speed = 'good' | 'slow' | 'bad'

/** The duration of the whole call in seconds. */
export function speedOfCall(seconds: number): Speed {
  return seconds < 101 ? 'good' : seconds < 300 ? 'slow' : 'bad'
}

export function speedOfFirstToken(ms: number): Speed {
  return ms < 3000 ? 'good' : ms < 10_000 ? 'slow' : 'bad'
}
