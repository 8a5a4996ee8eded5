import { Type } from '@sinclair/typebox'

/** The server does not know the caller's time zone. */
export const dayQuery = Type.Object({
  start: Type.Integer({
    minimum: 0,
    maximum: 253_402_300_799,
    description: "The start of the caller's day, in Unix seconds.",
  }),
})

/** The calls of a span of time. `quota` is in units; channel tests do not count. */
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
  /** The last seven days; today is the last one. */
  days: Sums[]
  channels: { enabled: number; off: OffChannel[]; off_count: number }
  low_balances: { users: LowBalance[]; count: number; threshold: number }
  checklist: Checklist
  /** The address of a proxy in front of the caller that is not listed in TRUSTED_PROXIES; null if there is none. */
  unnamed_proxy: string | null
}

/** Channels that the gateway itself has disabled, newest first. */
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

/** Whether each condition for serving calls is met. `price`: an enabled channel has a model with a price. */
export interface Checklist {
  channel: boolean
  price: boolean
  /** How many models of enabled channels nobody may call, because they have no price. */
  unpriced: number
  token: boolean
  /** Whether anybody has called. `last_call` only looks at the newest rows, so it may be missing then. */
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
