// An identity is a subject at an issuer. If the operator can point a provider to another issuer, the same subject may
// be another person there. Identities therefore count only for the issuer that they were created with, and the super
// admin decides about the old ones.
import { Op } from 'sequelize'
import type { UserRecord } from '../contract/account-services.ts'
import { AppError } from '../contract/errors.ts'
import type { DatabaseService, Logger, NotificationService } from '../contract/services.ts'
import type { AuthProvider, ProviderIdentity } from '../contract/sign-in.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { userIdentities } from '../data/models/user-identity.ts'
import { countIdentities } from './issuers-sql.ts'
import { issuerChanged } from './sign-in-errors.ts'

export interface IssuerDeps {
  accounts: Accounts
  database: DatabaseService
  log: Logger
  notifications: NotificationService
}

export interface Holder {
  /** Absent if no account has this identity. */
  user?: UserRecord
  /** Stored with a new identity; empty if the provider has only one issuer. */
  issuer: string
}

/** A row of `GET /api/oauth/issuers`: a provider that has identities of an issuer other than the one in its settings. */
export interface ChangedIssuer {
  provider: string
  name: AuthProvider['name']
  /** The current issuer; empty if it cannot be determined, for the reason in `fault`. */
  issuer: string
  fault: string
  others: { issuer: string; accounts: number; stranded: number }[]
}

/** The account that an identity belongs to. While a provider has identities of another issuer, no account is created:
 *  their owners would get a second one.
 *  @throws sign_in.issuer_changed */
export async function holderOf(
  deps: IssuerDeps,
  provider: AuthProvider,
  identity: ProviderIdentity,
): Promise<Holder> {
  const { accounts } = deps
  const issuer = issuerOf(provider, identity)
  let row = await accounts.identityAt(provider.id, identity.subject)
  if (issuer !== '' && row?.issuer !== issuer) {
    await adoptFound(deps, provider, issuer)
    row = await accounts.identityAt(provider.id, identity.subject)
    const other = await issuerBeside(deps, provider.id, issuer)
    if (row ? row.issuer !== issuer : other !== undefined) {
      notifyAdmins(deps, provider, { issuer, other: row?.issuer ?? other ?? '' })
      throw issuerChanged()
    }
  }
  const user = row && (await accounts.find(row.user_id))
  return user ? { user, issuer } : { issuer }
}

/** The issuer of old identities whose provider was not configured. It can never equal an issuer that is configured later. */
const NONE_SET = 'none was set'

/** Marks identities that have no issuer with the one in the settings at the start. They were made before issuers were
 *  stored, or are made by a process of an older version that still runs. */
export async function markOldIdentities(
  { database, log }: Pick<IssuerDeps, 'database' | 'log'>,
  providers: readonly AuthProvider[],
): Promise<void> {
  for (const { id: provider, issuer } of providers) {
    try {
      if (!issuer) continue
      await userIdentities(database).update(
        { issuer: plain(issuer.configured()) || NONE_SET },
        { where: { provider, issuer: '' } },
      )
    } catch (error) {
      log.warn({ err: error, authProvider: provider }, 'old identities have no issuer yet')
    }
  }
}

export async function changedIssuers(
  deps: Pick<IssuerDeps, 'database'>,
  providers: readonly AuthProvider[],
  language: 'en' | 'zh',
): Promise<ChangedIssuer[]> {
  const changed: ChangedIssuer[] = []
  for (const provider of providers) {
    // An unconfigured provider lets nobody in, so there is nothing to decide.
    if (configuredOf(provider) === '') continue
    const known = await countIdentities(deps.database, provider.id)
    if (known.length === 0) continue
    const { issuer, fault } = await currentOf(provider, language)
    const isOurs = new Set([issuer, configuredOf(provider)])
    const others = known.filter((one) => !isOurs.has(one.issuer))
    if (others.length > 0)
      changed.push({ provider: provider.id, name: provider.name, issuer, fault, others })
  }
  return changed
}

/** Moves the identities to the current issuer: it is the same provider at another address.
 *  @returns how many there were */
export async function keepIdentities(
  { database }: Pick<IssuerDeps, 'database'>,
  { provider, from, to }: { provider: string; from: string; to: string },
): Promise<number> {
  const where = { provider, issuer: from }
  return (await userIdentities(database).update({ issuer: to }, { where }))[0]
}

/** Removes the identities; the accounts remain.
 *  @returns how many there were */
export function forgetIdentities(
  { database }: Pick<IssuerDeps, 'database'>,
  { provider, from }: { provider: string; from: string },
): Promise<number> {
  return userIdentities(database).destroy({ where: { provider, issuer: from } })
}

/** Providers at which the account has an identity that no longer opens it, because its issuer is another one. A
 *  provider that cannot be reached is assumed to be unchanged. */
export async function closedProviders(
  { accounts }: Pick<IssuerDeps, 'accounts'>,
  providers: readonly AuthProvider[],
  userId: number,
): Promise<Set<string>> {
  const closed = new Set<string>()
  for (const { provider: id, issuer } of await accounts.identitiesOf(userId)) {
    const provider = providers.find((one) => one.id === id)
    if (!provider?.issuer || issuer === configuredOf(provider)) continue
    const { issuer: current } = await currentOf(provider, 'en')
    if (current !== '' && current !== issuer) closed.add(id)
  }
  return closed
}

/** @throws AppError of the provider */
export async function currentIssuer(provider: AuthProvider): Promise<string> {
  return plain((await provider.issuer?.current?.()) ?? configuredOf(provider))
}

async function currentOf(provider: AuthProvider, language: 'en' | 'zh') {
  try {
    return { issuer: await currentIssuer(provider), fault: '' }
  } catch (error) {
    if (error instanceof AppError) return { issuer: '', fault: error.messageIn(language) }
    throw error
  }
}

function issuerOf(provider: AuthProvider, identity: ProviderIdentity): string {
  return provider.issuer ? plain(identity.issuer ?? provider.issuer.configured()) : ''
}

function configuredOf(provider: AuthProvider): string {
  return plain(provider.issuer?.configured() ?? '')
}

/** Old identities are stored with the configured address until the issuer behind it is known. The issuer is requested
 *  again here, because the answer at hand may belong to settings that were changed while it was on its way. */
async function adoptFound(deps: IssuerDeps, provider: AuthProvider, issuer: string): Promise<void> {
  const from = configuredOf(provider)
  if (from === '' || from === issuer) return
  const where = { provider: provider.id, issuer: from }
  if ((await userIdentities(deps.database).findOne({ where })) === null) return
  if ((await currentIssuer(provider)) !== issuer || configuredOf(provider) !== from) return
  await keepIdentities(deps, { provider: provider.id, from, to: issuer })
}

async function issuerBeside(
  { database }: IssuerDeps,
  provider: string,
  issuer: string,
): Promise<string | undefined> {
  const where = { provider, issuer: { [Op.ne]: issuer } }
  return (await userIdentities(database).findOne({ where }))?.get().issuer
}

/** Not awaited, so that the answer does not wait for mail. */
function notifyAdmins(
  { log, notifications }: IssuerDeps,
  provider: AuthProvider,
  { issuer, other }: { issuer: string; other: string },
): void {
  log.warn({ authProvider: provider.id, issuer, other }, 'identities are of another issuer')
  void notifications.notifyAdmins({
    kind: 'identity_issuer',
    title: { en: 'A sign-in provider has changed', zh: '登录服务已更换' },
    content: {
      en:
        'Sign-in by {{value}} now leads to {{value}}, but the accounts here are bound to {{value}}. Neither they nor anybody new gets in by it until ' +
        'the super admin says whether these are the same people: settings page, tab System, under sign-in.',
      zh:
        '{{value}} 登录现已指向 {{value}}，而本站账号绑定的是 {{value}}。请超级管理员在“系统设置 - 登录与注册”中确认两者是否为同一批用户；' +
        '在此之前，这些账号和新用户都无法通过该方式登录。',
    },
    values: [provider.name, issuer, other || '–'],
  })
}

/** Issuers that differ only in a slash at the end are the same. */
function plain(issuer: string): string {
  let end = issuer.length
  while (end > 0 && issuer[end - 1] === '/') end -= 1
  return issuer.slice(0, end)
}
