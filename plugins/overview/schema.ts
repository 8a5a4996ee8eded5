import { type Static, Type } from '@sinclair/typebox'

/** Where the caller's day begins, in Unix seconds: only his clock knows. */
export const dayQuery = Type.Object({
  start: Type.Integer({ minimum: 0, maximum: 253_402_300_799 }),
})
export type DayQuery = Static<typeof dayQuery>

/** What was called in a span of time. `quota` in units; channel tests are no spend. */
export interface Sums {
  quota: number
  calls: number
  errors: number
}

/** The newest call with a token. */
export interface LastCall {
  created_at: number
  model_name: string
  token_name: string
  quota: number
  use_time_ms: number
}

/** GET /api/overview */
export interface AdminOverview {
  today: Sums
  /** The last seven days, today as the last one. */
  days: Sums[]
  channels: { enabled: number; off: OffChannel[]; off_count: number }
  low_balances: { users: LowBalance[]; count: number; threshold: number }
  checklist: Checklist
  /** The address of a proxy in front of the caller that TRUSTED_PROXIES does not name; null: none. */
  unnamed_proxy: string | null
}

/** Switched off by the gateway itself, newest first. */
export interface OffChannel {
  id: number
  name: string
  type: number
  status_reason: string
  status_time: number
}

export interface LowBalance {
  id: number
  username: string
  quota: number
}

/** What a gateway needs before it serves. `price`: some model of an enabled channel may be called at a price. */
export interface Checklist {
  channel: boolean
  price: boolean
  token: boolean
  /** Whether anybody has called; `last_call` is of the newest rows, and may be missing then. */
  call: boolean
  last_call: LastCall | null
}

/** GET /api/overview/self */
export interface OwnOverview {
  quota: number
  used_quota: number
  request_count: number
  today: Sums
  days: Sums[]
  last_call: LastCall | null
}
