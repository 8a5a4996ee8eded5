// Finds or creates the account of an identity. Only (provider, subject) leads to an account, never a mail address or a
// name.
import { nameLength } from '../contract/constants.ts'
import type { UserRecord } from '../contract/account-services.ts'
import { AppError } from '../contract/errors.ts'
import type { OptionService } from '../contract/options.ts'
import type { AuthProvider, ProviderIdentity } from '../contract/sign-in.ts'
import { withoutUnseen } from '../accounts/account-rules.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { users } from '../data/models/user.ts'
import { refuseClosed } from './complete.ts'
import { holderOf, type IssuerDeps } from './issuers.ts'
import { notBound, registrationOff } from './sign-in-errors.ts'
import { usernameCandidates } from './username-candidates.ts'

export type AccountDeps = IssuerDeps & { options: OptionService }

/** What the browser sends for a new user: the invite code and the language. */
interface Newcomer {
  aff: string
  language: 'en' | 'zh'
}

/** The account of the identity; a new one if there is none and registration is allowed.
 *  @throws sign_in.banned, sign_in.deregistered, sign_in.registration_off, sign_in.not_bound, sign_in.issuer_changed,
 *  or an error of the provider */
export async function accountOf(
  deps: AccountDeps,
  provider: AuthProvider,
  identity: ProviderIdentity,
  newcomer: Newcomer,
): Promise<UserRecord> {
  const { user: known, issuer } = await holderOf(deps, provider, identity)
  if (known) {
    refuseClosed(known)
    return known
  }
  if (provider.createsAccounts === false) throw notBound()
  if (!deps.options.get<boolean>('RegisterEnabled')) throw registrationOff()
  if (identity.refusal) throw identity.refusal
  return createAccount(deps, provider, { ...identity, issuer }, newcomer)
}

async function createAccount(
  deps: AccountDeps,
  provider: AuthProvider,
  identity: ProviderIdentity & { issuer: string },
  { aff, language }: Newcomer,
): Promise<UserRecord> {
  const { accounts, database } = deps
  const inviter = aff === '' ? undefined : await accounts.findByAffCode(aff)
  let email = usableEmail(accounts, identity)
  const highest: number | null = await users(database).max('id')
  const names = usernameCandidates({
    wanted: identity.username,
    fallback: `${provider.usernamePrefix ?? provider.id}_${(highest ?? 0) + 1}`,
  })
  for (const username of names) {
    const make = () =>
      accounts.create({
        username,
        display_name: displayName(identity.display_name, username),
        provider: { id: provider.id, subject: identity.subject, issuer: identity.issuer },
        by: 'provider',
        language,
        ...(email === undefined ? {} : { email }),
        ...(inviter ? { inviter_id: inviter.id } : {}),
      })
    const made = await orCode(make)
    if (typeof made !== 'string') return made
    if (made === 'account.email_taken') {
      email = undefined
      const again = await orCode(make)
      if (typeof again !== 'string') return again
    }
    // Another callback with the same identity has created the account in the meantime.
    const { user: other } = await holderOf(deps, provider, identity)
    if (other) {
      refuseClosed(other)
      return other
    }
  }
  throw new Error(`No free user name was found for an identity at ${provider.id}`)
}

const taken: ReadonlySet<string> = new Set([
  'account.username_taken',
  'account.email_taken',
  'account.identity_taken',
])

/** The result, or the code of the error that says what is taken. */
async function orCode<T>(make: () => Promise<T>): Promise<T | string> {
  try {
    return await make()
  } catch (error) {
    if (error instanceof AppError && taken.has(error.code)) return error.code
    throw error
  }
}

/** The mail address if the provider has verified it. With an unverified one, its owner could reset the password of a
 *  stranger's account, or a stranger that of the owner. */
function usableEmail(accounts: Accounts, identity: ProviderIdentity): string | undefined {
  if (!identity.email || identity.isEmailVerified !== true) return undefined
  try {
    accounts.checkEmail(identity.email)
    return identity.email
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

function displayName(name: string | undefined, fallback: string): string {
  const clean = Array.from(withoutUnseen(name ?? '', '').trim())
  return clean.slice(0, nameLength.max).join('') || fallback
}
