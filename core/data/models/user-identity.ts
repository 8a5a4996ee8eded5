import { Type, type Static } from '@sinclair/typebox'
import { defineModel } from './define-model.ts'

/** Who somebody is at a sign-in provider. One subject belongs to one account, and an account has one subject a provider. */
const userIdentityRow = Type.Object({
  provider: Type.String({ description: 'Id of the sign-in provider.' }),
  subject: Type.String({ description: 'Id of the account at the provider.' }),
  user_id: Type.Integer(),
  created_at: Type.Integer({ description: 'Unix seconds.' }),
  issuer: Type.String({
    default: '',
    description:
      'Who gave the subject, where the operator may name another; see core/sign-in/issuers.ts.',
  }),
})
export type UserIdentityRow = Static<typeof userIdentityRow>

export const userIdentities = defineModel('user_identities', userIdentityRow, [
  'provider',
  'subject',
])

/** The wire's fields for identities and the providers they stand for: the only place that names these. */
const identityProviders = {
  github_id: 'github',
  oidc_id: 'oidc',
  wechat_id: 'wechat',
  telegram_id: 'telegram',
  linux_do_id: 'linuxdo',
} as const

export type IdentityField = keyof typeof identityProviders

const text = Type.String({ description: 'Empty: not bound.' })

export const identityFields = {
  github_id: text,
  oidc_id: text,
  wechat_id: text,
  telegram_id: text,
  linux_do_id: text,
} satisfies Record<IdentityField, typeof text>

/** The wire's fields of one account; a provider without a field is left out. */
export function toIdentityFields(
  identities: readonly Pick<UserIdentityRow, 'provider' | 'subject'>[],
): Record<IdentityField, string> {
  const subjectOf = (field: IdentityField) =>
    identities.find(({ provider }) => provider === identityProviders[field])?.subject ?? ''
  return {
    github_id: subjectOf('github_id'),
    oidc_id: subjectOf('oidc_id'),
    wechat_id: subjectOf('wechat_id'),
    telegram_id: subjectOf('telegram_id'),
    linux_do_id: subjectOf('linux_do_id'),
  }
}

/** The provider that a field of the wire stands for. */
export function providerOf(field: string): string | undefined {
  return Object.entries(identityProviders).find(([name]) => name === field)?.[1]
}
