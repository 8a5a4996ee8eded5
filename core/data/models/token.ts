import { Type, type Static } from '@sinclair/typebox'
import { defineModel } from './define-model.ts'

/** A row of `tokens`. */
export const tokenRow = Type.Object({
  id: Type.Integer(),
  user_id: Type.Integer(),
  key: Type.String({ description: 'Sealed by the secret service.' }),
  key_hash: Type.String({ description: 'HMAC of the key, for look-ups.' }),
  status: Type.Integer({ description: '1 enabled, 2 disabled, 3 expired, 4 exhausted.' }),
  name: Type.String(),
  created_time: Type.Integer({ description: 'Unix seconds.' }),
  accessed_time: Type.Integer({ description: 'Unix seconds.' }),
  expired_time: Type.Integer({ description: 'Unix seconds; -1: never.' }),
  remain_quota: Type.Integer({ description: 'Quota units.' }),
  leased: Type.Integer({ description: 'Quota units that nodes hold as leases.' }),
  unlimited_quota: Type.Boolean(),
  model_limits_enabled: Type.Boolean(),
  model_limits: Type.String({ description: 'Comma list of models.' }),
  allow_ips: Type.String({ description: 'Addresses and ranges, one a line; empty: all.' }),
  used_quota: Type.Integer({ description: 'Quota units.' }),
  group: Type.String({ description: "Empty: its owner's." }),
  deleted_at: Type.Union([Type.Date(), Type.Null()]),
})
export type TokenRow = Static<typeof tokenRow>

export const tokens = defineModel('tokens', tokenRow, ['id'])

/** A token on the wire, for its owner only: the key in clear and without prefix. */
const tokenRecord = Type.Composite([
  Type.Omit(tokenRow, ['key_hash', 'leased', 'deleted_at']),
  Type.Object({ DeletedAt: Type.Null() }),
])
export type TokenRecord = Static<typeof tokenRecord>
