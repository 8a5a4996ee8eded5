// Whose subject an identity is. Where the operator may name another provider, its subjects are those of other people, so an identity counts
// for the issuer that it was made with and for no other; what becomes of the old ones the super admin says.
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
  /** Absent: nobody is known by that identity. */
  user?: UserRecord
  /** To be stored with it; empty where the provider is one and the same for ever. */
  issuer: string
}

/** What `GET /api/oauth/issuers` says of a provider whose identities are not all of the issuer that its settings name. */
export interface ChangedIssuer {
  provider: string
  name: AuthProvider['name']
  /** Of today; empty when it cannot be found out, for the reason in `fault`. */
  issuer: string
  fault: string
  others: { issuer: string; accounts: number; stranded: number }[]
}

/** Whose account the identity leads to. Nothing new is made while there are identities of another issuer: their owners would get a second
 *  account instead of theirs. @throws sign_in.issuer_changed */
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
      tellAdmins(deps, provider, { issuer, other: row?.issuer ?? other ?? '' })
      throw issuerChanged()
    }
  }
  const user = row && (await accounts.find(row.user_id))
  return user ? { user, issuer } : { issuer }
}

/** Issuer of old identities at whose provider nothing was set: what somebody sets later must not pass for theirs. */
const NONE_SET = 'none was set'

/** Identities from before issuers were kept, and those that another process of an older version adds meanwhile: they came from what the
 *  settings name as this process starts. */
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
    // Where nothing is set, nobody gets in by it and there is nothing to decide.
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

/** The provider is the same and only its address is another, so its people are the same. Returns how many identities that were. */
export async function keepIdentities(
  { database }: Pick<IssuerDeps, 'database'>,
  { provider, from, to }: { provider: string; from: string; to: string },
): Promise<number> {
  const where = { provider, issuer: from }
  return (await userIdentities(database).update({ issuer: to }, { where }))[0]
}

/** The accounts stay, without this way in. Returns how many identities that were. */
export function forgetIdentities(
  { database }: Pick<IssuerDeps, 'database'>,
  { provider, from }: { provider: string; from: string },
): Promise<number> {
  return userIdentities(database).destroy({ where: { provider, issuer: from } })
}

/** Providers whose identity of that account opens nothing now, for it is of another issuer; one that cannot be asked is taken to open. */
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
  return plain((await provider.issuer?.current()) ?? '')
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

/** Old identities are known by the address that was set; now it is known who is found there. That is asked anew: who has just answered may
 *  have been named by settings that were another's, changed while he took his time. */
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

/** Beside the answer, which waits for no mail. */
function tellAdmins(
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

/** A slash at the end is a matter of spelling. */
function plain(issuer: string): string {
  let end = issuer.length
  while (end > 0 && issuer[end - 1] === '/') end -= 1
  return issuer.slice(0, end)
}
