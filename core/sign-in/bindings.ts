// Identities at providers that belong to a signed-in user: listing, binding and unbinding them.
import { role } from '../contract/constants.ts'
import type { Standing } from '../contract/http.ts'
import { optionOr, type OptionService } from '../contract/options.ts'
import type { DatabaseService } from '../contract/services.ts'
import type { AuthProvider, ProviderIdentity } from '../contract/sign-in.ts'
import type { Text } from '../contract/errors.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { users } from '../data/models/user.ts'
import type { Transaction } from 'sequelize'
import { closedProviders, holderOf, type IssuerDeps } from './issuers.ts'
import { lastWayIn, notYours } from './sign-in-errors.ts'

export interface BindingDeps {
  accounts: Accounts
  database: DatabaseService
  options: OptionService
  providers: readonly AuthProvider[]
}

/** A row of `GET /api/user/identities`. */
export interface Binding {
  provider: string
  name: Text
  kind: AuthProvider['kind']
  /** Empty if the user has no identity at this provider. */
  subject: string
  /** False if the plugin is off: the identity can then be unbound, but not bound again. */
  is_enabled: boolean
}

/** The methods that are switched on, and those that are off but to which the user is still bound. */
export async function bindingsOf(
  { accounts, providers }: BindingDeps,
  userId: number,
): Promise<Binding[]> {
  const identities = await accounts.identitiesOf(userId)
  const subjects = new Map(identities.map(({ provider, subject }) => [provider, subject] as const))
  return providers
    .map((provider) => ({
      provider: provider.id,
      name: provider.name,
      kind: provider.kind,
      subject: subjects.get(provider.id) ?? '',
      is_enabled: provider.isEnabled(),
    }))
    .filter(({ is_enabled: isEnabled, subject }) => isEnabled || subject !== '')
}

/** Binds an identity to the caller. It replaces the one that the user had at the same provider.
 *  @throws account.identity_taken, sign_in.issuer_changed */
export async function bind(
  deps: IssuerDeps,
  caller: Standing,
  { provider, identity }: { provider: AuthProvider; identity: ProviderIdentity },
): Promise<void> {
  const { user, issuer } = await holderOf(deps, provider, identity)
  if (user?.id === caller.id) return
  const { subject } = identity
  const identities = { [provider.id]: { subject, issuer } }
  // The answer of the provider may have taken long, so the caller is checked again with the write.
  await deps.accounts.update(caller.id, { identities }, { caller })
}

/** @throws sign_in.identity_unknown, sign_in.last_way_in */
export async function unbind(deps: BindingDeps, caller: Standing, provider: string): Promise<void> {
  const userId = caller.id
  const known = await deps.accounts.identitiesOf(userId)
  if (!known.some((identity) => identity.provider === provider)) throw notYours()
  const closed = await closedProviders(deps, deps.providers, userId)
  const alongside = async (transaction: Transaction) => {
    // The row is locked, so that two requests cannot each remove an identity in the belief that the other one stays.
    const row = await users(deps.database).findByPk(userId, {
      attributes: ['password', 'role'],
      lock: transaction.LOCK.UPDATE,
      transaction,
    })
    const user = row?.get()
    if (user && user.password !== '' && opensByPassword(deps.options, user.role)) return
    const left = await deps.accounts.identitiesOf(userId, transaction)
    const enabled = new Set(deps.providers.filter((one) => one.isEnabled()).map(({ id }) => id))
    if (!left.some(({ provider: id }) => enabled.has(id) && !closed.has(id))) throw lastWayIn()
  }
  await deps.accounts.update(userId, { identities: { [provider]: '' } }, { caller, alongside })
}

/** The super admin can always sign in with a password. For everybody else, the option of the password plugin decides. */
function opensByPassword(options: OptionService, userRole: number): boolean {
  return userRole >= role.root || optionOr(options, 'PasswordLoginEnabled', true)
}
