import { Type, type Static, type TSchema } from '@sinclair/typebox'
import type { TokenInput, TokenRecord } from '#core'

/** One token as `/api/token/` sends it to its owner; `key` comes without its prefix. */
export type Token = Omit<TokenRecord, 'user_id' | 'DeletedAt'>

/** `null` stands for "absent": forms send whole records with empty fields. */
const maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))
const text = (maxLength: number) => maybe(Type.String({ maxLength }))
/** Number inputs may send text. */
const whole = () => maybe(Type.Union([Type.Integer(), Type.String({ pattern: '^-?\\d{1,15}$' })]))
const id = () => Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const queryText = () => Type.Optional(Type.String({ maxLength: 1024 }))

const tokenFields = {
  name: text(1000),
  expired_time: whole(),
  remain_quota: whole(),
  unlimited_quota: maybe(Type.Boolean()),
  model_limits_enabled: maybe(Type.Boolean()),
  model_limits: text(100_000),
  allow_ips: text(100_000),
  group: text(64),
} satisfies Record<keyof TokenInput, TSchema>

export const newTokenBody = Type.Object(tokenFields)
export type NewTokenBody = Static<typeof newTokenBody>

/** With `?status_only` just `id` and `status` count. */
export const tokenBody = Type.Object({ id: id(), status: whole(), ...tokenFields })
export type TokenBody = Static<typeof tokenBody>

export const tokenInPath = Type.Object({ id: id() })
export type TokenInPath = Static<typeof tokenInPath>

export const listQuery = Type.Object({ p: queryText(), size: queryText() })
export type ListQuery = Static<typeof listQuery>

export const searchQuery = Type.Object({
  keyword: queryText(),
  token: queryText(),
  status: Type.Optional(Type.Union(['1', '2', '3', '4'].map((status) => Type.Literal(status)))),
})
export type SearchQuery = Static<typeof searchQuery>

export const editQuery = Type.Object({ status_only: queryText() })
export type EditQuery = Static<typeof editQuery>
