import type { Transaction } from 'sequelize'
import { isPasswordHash } from '../accounts/passwords.ts'
import { nameForm, readDisplayName, readUsername } from '../accounts/account-rules.ts'
import { emailForm } from '../accounts/email-rules.ts'
import { sealSetting } from '../accounts/user-settings.ts'
import type { UserSetting } from '../contract/account-services.ts'
import { role, userStatus } from '../contract/constants.ts'
import type { DatabaseService, SecretService } from '../contract/services.ts'
import { users, type UserRow } from '../data/models/user.ts'
import {
  identityFields,
  providerOf,
  userIdentities,
  type UserIdentityRow,
} from '../data/models/user-identity.ts'
import type { Family } from './family.ts'
import { parseSetting } from '../data/models/user-setting.ts'
import type { ImportReport } from './import-report.ts'
import type { OldRow } from './old-row.ts'
import { inGroups } from './in-groups.ts'

export interface AccountDeps {
  database: DatabaseService
  secrets: SecretService
  report: ImportReport
  family: Family
  /** Columns of identities that hold numbers of accounts, and never login names. */
  trusted: readonly string[]
  /** Ways in which users can be told of something. */
  notifiers: ReadonlySet<string>
  nowSeconds: number
}

/** Takes accounts over with their ids and balances. The entries of these balances are still to be written.
 *  @param rows reads them from the first on, as often as it is called
 *  @returns the ids of those that are not deleted */
export async function importAccounts(
  deps: AccountDeps,
  rows: () => AsyncIterable<OldRow>,
  transaction: Transaction,
): Promise<ReadonlySet<number>> {
  const reading = new AccountReading(deps, await addressesInUse(rows(), deps.family))
  const live = new Set<number>()
  for await (const group of inGroups(rows())) {
    const read = group.map((row) => reading.read(row))
    await users(deps.database).bulkCreate(
      read.map(({ account }) => account),
      { transaction },
    )
    await userIdentities(deps.database).bulkCreate(
      read.flatMap(({ identities }) => identities),
      { transaction },
    )
    for (const { account } of read) {
      deps.report.take('users')
      if (account.deleted_at === null) live.add(account.id)
    }
  }
  return live
}

/** Those of accounts that are not deleted: a deleted one, which is often the older, gives way. */
async function addressesInUse(
  rows: AsyncIterable<OldRow>,
  family: Family,
): Promise<ReadonlySet<string>> {
  const addresses = new Set<string>()
  for await (const row of rows) {
    if (!isDeleted(row, family)) addresses.add(emailForm(row.text('email')))
  }
  return addresses
}

function isDeleted(row: OldRow, { deletedStatus }: Family): boolean {
  return row.text('deleted_at') !== '' || row.whole('status') === deletedStatus
}

/** Identities at providers that nobody signs in by here. */
const foreignIdentities = ['discord_id', 'lark_id'] as const

/** All that there are here; the compiler asks for a new one. */
const knownSettings: Readonly<Record<keyof UserSetting, true>> = {
  notify_type: true,
  quota_warning_threshold: true,
  webhook_url: true,
  webhook_secret: true,
  notification_email: true,
  accept_unset_model_ratio_model: true,
  language: true,
}

type Account = Omit<
  UserRow,
  'password_made' | 'access_token' | 'access_token_expires_at' | 'leased'
>

/** Reads accounts one after the other. What only one account may have goes to the first. */
class AccountReading {
  readonly #deps: AccountDeps
  readonly #addressesInUse: ReadonlySet<string>
  readonly #usernames = new Set<string>()
  readonly #emails = new Set<string>()
  readonly #inviteCodes = new Set<string>()
  readonly #subjects = new Set<string>()

  constructor(deps: AccountDeps, inUse: ReadonlySet<string>) {
    this.#deps = deps
    this.#addressesInUse = inUse
  }

  read(row: OldRow): { account: Account; identities: UserIdentityRow[] } {
    const id = row.whole('id')
    const username = this.#usernameOf(row, id)
    const code = row.text('aff_code').trim()
    const isNewCode = code !== '' && !this.#inviteCodes.has(code)
    this.#inviteCodes.add(code)
    if (row.text('remark').trim() !== '')
      this.#deps.report.leaveOut('remarks of users', 'an account has none here', username)
    const account: Account = {
      id,
      username,
      password: this.#passwordOf(row, username),
      display_name: displayNameOf(row.text('display_name')) || username,
      role: roleOf(row.whole('role')),
      status: row.whole('status') === userStatus.active ? userStatus.active : userStatus.disabled,
      email: this.#emailOf(row, username),
      quota: this.#balanceOf(row, username),
      used_quota: row.whole('used_quota'),
      request_count: row.whole('request_count'),
      group: row.text('group') || 'default',
      aff_code: isNewCode ? code : null,
      aff_count: row.whole('aff_count'),
      aff_quota: row.whole('aff_quota'),
      aff_history_quota: row.whole('aff_history'),
      inviter_id: row.whole('inviter_id'),
      setting: this.#settingOf(row, username),
      created_at: row.whole('created_at') || row.whole('created_time') || this.#deps.nowSeconds,
      deleted_at: isDeleted(row, this.#deps.family) ? dateOf(row.text('deleted_at')) : null,
    }
    return { account, identities: this.#identitiesOf(row, account) }
  }

  #usernameOf(row: OldRow, id: number): string {
    const given = row.text('username')
    let name: string
    try {
      name = readUsername(given)
    } catch {
      name = `user-${id}`
    }
    if (this.#usernames.has(name)) name = `user-${id}`
    if (name !== nameForm(given))
      this.#deps.report.leaveOut('user names', 'the account has another one now', name)
    this.#usernames.add(name)
    return name
  }

  #passwordOf(row: OldRow, username: string): string {
    const hash = row.text('password')
    if (hash === '' || isPasswordHash(hash)) return hash
    this.#deps.report.leaveOut('passwords', 'their form is unknown', username)
    return ''
  }

  #balanceOf(row: OldRow, username: string): number {
    if (row.isBeyond('quota'))
      this.#deps.report.leaveOut('balances', 'they are beyond what is counted here', username)
    return row.whole('quota')
  }

  #emailOf(row: OldRow, username: string): string {
    const email = emailForm(row.text('email'))
    if (email === '') return ''
    const mustGiveWay = isDeleted(row, this.#deps.family) && this.#addressesInUse.has(email)
    if (mustGiveWay || this.#emails.has(email)) {
      this.#deps.report.leaveOut('mail addresses', 'another account has the same', username)
      return ''
    }
    this.#emails.add(email)
    return email
  }

  #settingOf(row: OldRow, username: string): string {
    const text = row.text('setting')
    if (text === '') return ''
    const { report, notifiers, secrets } = this.#deps
    const { notify_type: way = '', ...given } = parseSetting(text)
    const isWay = notifiers.has(way)
    if (way !== '' && !isWay)
      report.leaveOut('ways to be told of things', `there is no ${way} here`, username)
    // Others may be secrets there (of Gotify, of Bark), which nothing here seals.
    const others = Object.entries(given).filter(([name]) => Object.hasOwn(knownSettings, name))
    const known = { ...Object.fromEntries(others), ...(isWay ? { notify_type: way } : {}) }
    return sealSetting(known, secrets)
  }

  #identitiesOf(row: OldRow, { id, username }: Account): UserIdentityRow[] {
    const { report, nowSeconds } = this.#deps
    for (const column of foreignIdentities) {
      if (row.text(column).trim() === '') continue
      report.leaveOut(`identities (${column})`, 'there is no such sign-in here', username)
    }
    return Object.keys(identityFields).flatMap((column) => {
      const [provider = '', subject] = [providerOf(column), row.text(column).trim()]
      if (subject === '') return []
      if (!this.#isNumber(column, subject)) {
        report.leaveOut(`identities (${column})`, 'they may be login names', username)
        return []
      }
      const place = `${provider} ${subject}`
      if (this.#subjects.has(place)) {
        report.leaveOut(`identities (${column})`, 'another account has the same', username)
        return []
      }
      this.#subjects.add(place)
      // The next start notes whose subject it is, by the settings (core/decisions/0027).
      return [{ provider, subject, user_id: id, created_at: nowSeconds, issuer: '' }]
    })
  }

  /** False for what may be a login name, which somebody else may have by now (core/decisions/0015). */
  #isNumber(column: string, subject: string): boolean {
    const { family, trusted } = this.#deps
    if (!family.loginNames.includes(column)) return true
    return trusted.includes(column) && /^[1-9]\d{0,18}$/.test(subject)
  }
}

function roleOf(given: number): number {
  if (given >= role.root) return role.root
  return given >= role.admin ? role.admin : role.user
}

function displayNameOf(given: string): string {
  try {
    return readDisplayName(given)
  } catch {
    return ''
  }
}

/** Now if it is none: a status tells no time. */
function dateOf(text: string): Date {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? new Date() : date
}
