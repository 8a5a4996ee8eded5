import { Type, type Static } from '@sinclair/typebox'
import { defineModel } from './define-model.ts'
import { maybe, maybeAll, rowId, wholeNumber } from './given-fields.ts'
import { identityFields, toIdentityFields, type UserIdentityRow } from './user-identity.ts'
import { publicSetting } from './user-setting.ts'

const units = () => Type.Integer({ description: 'Quota units.' })

/** A row of `users`. Its identities at sign-in providers are rows of their own. */
const userRow = Type.Object({
  id: Type.Integer(),
  username: Type.String(),
  password: Type.String({ description: 'Hash; empty: no sign-in by password.' }),
  password_made: Type.Boolean({
    default: false,
    description:
      'Its owner has not chosen the password: another one knows it, or a page has shown it.',
  }),
  display_name: Type.String(),
  role: Type.Integer({ description: '1 user, 10 admin, 100 super admin.' }),
  status: Type.Integer({ description: '1 active, 2 banned, 3 locked.' }),
  email: Type.String(),
  access_token: Type.Union([Type.String(), Type.Null()], { description: 'HMAC of the token.' }),
  access_token_expires_at: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Unix seconds; null: never.',
  }),
  quota: units(),
  leased: Type.Integer({ description: 'Quota units that nodes hold as leases.' }),
  used_quota: units(),
  request_count: Type.Integer(),
  group: Type.String(),
  aff_code: Type.Union([Type.String(), Type.Null()], { description: 'Invite code.' }),
  aff_count: Type.Integer({ description: 'Accounts made with the invite code.' }),
  aff_quota: units(),
  aff_history_quota: units(),
  inviter_id: Type.Integer({ description: '0: nobody.' }),
  setting: Type.String({ description: 'JSON; its webhook secret is sealed.' }),
  created_at: Type.Integer({ description: 'Unix seconds.' }),
  deleted_at: Type.Union([Type.Date(), Type.Null()], { description: 'When it was deregistered.' }),
})
export type UserRow = Static<typeof userRow>

export const users = defineModel('users', userRow, ['id'])

/** What nobody sees, not even its owner, or under another name or as another type only. */
const hidden = [
  'password',
  'access_token',
  'access_token_expires_at',
  'leased',
  'created_at',
  'deleted_at',
  'aff_code',
] as const

/** A user on the wire, for its owner and for admins. Three fields are there because clients expect them, and always empty. */
const userRecord = Type.Composite([
  Type.Omit(userRow, hidden),
  Type.Object({
    ...identityFields,
    password: Type.Literal(''),
    verification_code: Type.Literal(''),
    access_token: Type.Null(),
    aff_code: Type.String(),
    shown_quota: {
      ...units(),
      description: 'The balance again, for clients that send the record back.',
    },
    DeletedAt: Type.Union([Type.String(), Type.Null()], { description: 'ISO 8601.' }),
  }),
])
export type UserRecord = Static<typeof userRecord>

export function toUserRecord(
  row: UserRow,
  identities: readonly Pick<UserIdentityRow, 'provider' | 'subject'>[],
): UserRecord {
  const {
    access_token_expires_at: _expiry,
    leased: _leased,
    created_at: _created,
    deleted_at: deletedAt,
    ...shown
  } = row
  return {
    ...shown,
    ...toIdentityFields(identities),
    password: '',
    verification_code: '',
    access_token: null,
    aff_code: row.aff_code ?? '',
    shown_quota: row.quota,
    setting: publicSetting(row.setting),
    DeletedAt: deletedAt === null ? null : deletedAt.toISOString(),
  }
}

const { username, password, display_name, group, role, quota, used_quota } = userRow.properties

/** Of a body, where it is no hash yet. */
const newPassword = { ...password, description: 'In clear. Empty in an edit: it stays.' }

/** Bodies of the admin's calls. The role is compared with the caller's, never written. */
export const newUserBody = Type.Object(
  maybeAll({ username, password: newPassword, display_name, role }),
)
export type NewUserBody = Static<typeof newUserBody>
export const userBody = Type.Object({
  id: rowId,
  ...maybeAll({ username, display_name, password: newPassword, group, role }),
  shown: maybe(
    Type.Object({
      ...maybeAll({ username, display_name, group }),
      ...maybeAll({ quota, used_quota }),
    }),
    {
      description:
        'Fields as a page had read them: nothing is changed if another has changed one since. What calls spend is no change of the balance where its `used_quota` is named, too, and stays spent.',
    },
  ),
  quota: maybe(wholeNumber({ maximum: Number.MAX_SAFE_INTEGER }), {
    description: 'The new balance in quota units, an absolute value.',
  }),
  shown_quota: maybe(wholeNumber({ maximum: Number.MAX_SAFE_INTEGER }), {
    description:
      'As the record had it: the balance then changes by the difference to it, and what calls spend meanwhile stays spent. Without it the balance is set.',
  }),
})
export type UserBody = Static<typeof userBody>
