import { Type, type Static } from '@sinclair/typebox'
import type { Changes } from '../../contract/changes.ts'
import { defineModel } from './define-model.ts'
import { maybe, maybeAll, rowId, wholeNumber } from './given-fields.ts'

/** A row of `tokens`. */
const tokenRow = Type.Object({
  id: Type.Integer(),
  user_id: Type.Integer(),
  key: Type.String({ description: 'Sealed by the secret service.' }),
  key_hash: Type.String({ description: 'HMAC of the key, for look-ups.' }),
  status: Type.Integer({ description: '1 enabled, 2 disabled, 3 expired, 4 exhausted.' }),
  name: Type.String({ maxLength: 1000 }),
  created_time: Type.Integer({ description: 'Unix seconds.' }),
  accessed_time: Type.Integer({ description: 'Unix seconds.' }),
  expired_time: Type.Integer({ description: 'Unix seconds; -1: never.' }),
  remain_quota: Type.Integer({ description: 'Quota units.' }),
  leased: Type.Integer({ description: 'Quota units that nodes hold as leases.' }),
  unlimited_quota: Type.Boolean(),
  model_limits_enabled: Type.Boolean(),
  model_limits: Type.String({ maxLength: 100_000, description: 'Comma list of models.' }),
  allow_ips: Type.String({
    maxLength: 100_000,
    description: 'Addresses and ranges, one a line; empty: all.',
  }),
  used_quota: Type.Integer({ description: 'Quota units.' }),
  group: Type.String({ maxLength: 64, description: "Empty: its owner's." }),
  deleted_at: Type.Union([Type.Date(), Type.Null()]),
})
export type TokenRow = Static<typeof tokenRow>

export const tokens = defineModel('tokens', tokenRow, ['id'])

/** A token on the wire, for its owner only: the key in clear and without prefix. `shown_remain_quota` is the remainder once more: whoever sends
 *  the record back, changed or not, says by it what was read. */
const tokenRecord = Type.Composite([
  Type.Omit(tokenRow, ['key_hash', 'leased', 'deleted_at']),
  Type.Object({ shown_remain_quota: tokenRow.properties.remain_quota, DeletedAt: Type.Null() }),
])
export type TokenRecord = Static<typeof tokenRecord>

const { name, unlimited_quota, model_limits_enabled, model_limits, allow_ips, group } =
  tokenRow.properties
const { expired_time } = tokenRow.properties
const limits = { name, unlimited_quota, model_limits_enabled, model_limits, allow_ips, group }

/** What its owner may write; core/tokens/token-input.ts has the rules. */
const written = {
  ...maybeAll(limits),
  expired_time: maybe(wholeNumber(), { description: 'Unix seconds; -1, 0 or missing: never.' }),
  remain_quota: maybe(wholeNumber(), { description: 'Quota units.' }),
}
export type TokenFields = Pick<TokenRecord, keyof typeof written>
export type TokenInput = Changes<TokenFields>

/** Bodies of the owner's calls. With `?status_only` just `id` and `status` count. */
export const newTokenBody = Type.Object(written)
export type NewTokenBody = Static<typeof newTokenBody>
export const tokenBody = Type.Object({
  id: rowId,
  status: maybe(wholeNumber(), { description: '1 enabled, 2 disabled.' }),
  ...written,
  shown_remain_quota: maybe(wholeNumber(), {
    description:
      'As the record had it: remain_quota then changes by the difference to it, and what calls spend meanwhile stays spent. Without it remain_quota is set.',
  }),
  shown: maybe(Type.Object(maybeAll({ ...limits, expired_time })), {
    description:
      'Other fields as the record had them: if one of them was changed since, nothing is written. Without it the last edit wins.',
  }),
  /** These tell nearly the same of a record that came back without the one above. */
  used_quota: maybe(wholeNumber(), {
    description:
      'Quota units. As the record had it, together with created_time: in the place of shown_remain_quota.',
  }),
  created_time: maybe(wholeNumber(), {
    description: 'Unix seconds. As the record had it; it is not changed.',
  }),
})
export type TokenBody = Static<typeof tokenBody>
