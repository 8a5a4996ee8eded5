import { role, userStatus } from '../contract/constants.ts'
import type { AccountService } from '../contract/account-services.ts'
import type { DatabaseService, SecretService } from '../contract/services.ts'
import type { LedgerKind, LedgerService } from '../contract/money-services.ts'
import type { OptionService } from '../contract/options.ts'
import { emailTaken, identityTaken, usernameTaken } from './account-errors.ts'
import { checkNewPassword, readDisplayName, readUsername } from './account-rules.ts'
import { emailForm, emailForms } from './email-rules.ts'
import { hashPassword } from './passwords.ts'
import { users, type UserRow } from '../data/models/user.ts'
import { userIdentities } from '../data/models/user-identity.ts'
import { type Identities, subjectOf } from './identities.ts'
import { findUser } from './user-records.ts'
import { Op, type Transaction, type WhereOptions } from 'sequelize'

export type NewAccount = Parameters<AccountService['create']>[0]

export interface CreateDeps {
  database: DatabaseService
  secrets: SecretService
  ledger: LedgerService
  options: OptionService
  now: () => number
}

/** Units given to a new account; each gift above 0 gets a log row. */
export interface Gifts {
  newUser: number
  invitee: number
  inviter: number
}

export interface CreatedAccount {
  row: UserRow
  gifts: Gifts
  /** The inviter, if that account is live, else 0. */
  inviterId: number
  inviterName: string
}

/** Values that only one account may have. */
export interface UniqueValues {
  username?: string
  email?: string
  /** By provider. */
  identities?: Identities
}

/** Long enough that a guess rarely credits a stranger. */
const AFF_CODE_LENGTH = 6

export function newAffCode(secrets: SecretService): string {
  return secrets.random(AFF_CODE_LENGTH)
}

/** Checks and hashes before the transaction, because the transaction must be short. */
export async function prepareAccount(input: NewAccount) {
  const username = readUsername(input.username)
  if (input.password !== undefined) checkNewPassword(input.password)
  return {
    ...input,
    username,
    display_name: readDisplayName(input.display_name ?? '') || username,
    email: emailForm(input.email ?? ''),
    passwordHash: input.password === undefined ? '' : await hashPassword(input.password),
  }
}

type PreparedAccount = Awaited<ReturnType<typeof prepareAccount>>

export function uniqueValuesOf({ username, email, provider }: PreparedAccount): UniqueValues {
  return {
    username,
    email,
    ...(provider ? { identities: { [provider.id]: provider.subject } } : {}),
  }
}

/** Account, gift and invite rewards, all or nothing. @throws account.username_taken, account.email_taken */
export async function insertAccount(
  deps: CreateDeps,
  input: PreparedAccount,
  transaction: Transaction,
): Promise<CreatedAccount> {
  await refuseTaken(deps.database, uniqueValuesOf(input), { transaction })
  const inviter = await liveInviter(deps.database, input.inviter_id ?? 0, transaction)
  const inviterId = inviter?.id ?? 0
  const id = await insertRow(deps, input, inviterId, transaction)
  const gifts = giftsFor(deps.options, input, inviterId)
  await giveUnits(deps.ledger, id, input, gifts, transaction)
  if (inviterId !== 0) {
    await users(deps.database).increment(
      { aff_count: 1, aff_quota: gifts.inviter, aff_history_quota: gifts.inviter },
      { where: { id: inviterId }, transaction },
    )
  }
  const row = await findUser(deps.database, { id }, transaction)
  if (!row) throw new Error(`The new account ${id} cannot be read back`)
  return { row, gifts, inviterId, inviterName: inviter?.username ?? '' }
}

/** Refuses values that another account has, including deleted accounts. Does nothing if there is none. */
export async function refuseTaken(
  database: DatabaseService,
  { username = '', email = '', identities = {} }: UniqueValues,
  { exceptId = 0, transaction }: { exceptId?: number; transaction?: Transaction } = {},
): Promise<void> {
  const isHeld = async (where: WhereOptions<UserRow>) =>
    (await findUser(
      database,
      { [Op.and]: [where, { id: { [Op.ne]: exceptId } }] },
      transaction,
    )) !== undefined
  if (username !== '' && (await isHeld({ username }))) {
    throw usernameTaken({}, { field: 'username' })
  }
  if (email !== '' && (await isHeld({ email: emailForms(email) }))) {
    throw emailTaken({}, { field: 'email' })
  }
  for (const [provider, identity] of Object.entries(identities)) {
    const { subject } = subjectOf(identity)
    if (subject === '') continue
    const where = { provider, subject, user_id: { [Op.ne]: exceptId } }
    const options = { where, transaction: transaction ?? null }
    if (await userIdentities(database).findOne(options)) throw identityTaken()
  }
}

async function liveInviter(
  database: DatabaseService,
  inviterId: number,
  transaction: Transaction,
): Promise<Pick<UserRow, 'id' | 'username'> | undefined> {
  if (inviterId === 0) return undefined
  return findUser(
    database,
    { id: inviterId, status: userStatus.active, deleted_at: null },
    transaction,
  )
}

async function insertRow(
  deps: CreateDeps,
  input: PreparedAccount,
  inviterId: number,
  transaction: Transaction,
): Promise<number> {
  const createdAt = Math.floor(deps.now() / 1000)
  const made = await users(deps.database).create(
    {
      username: input.username,
      password: input.passwordHash,
      display_name: input.display_name,
      role: input.role ?? role.user,
      status: userStatus.active,
      email: input.email,
      // The super admin of the setup gets no invite code unasked.
      aff_code: input.by === 'setup' ? null : newAffCode(deps.secrets),
      inviter_id: inviterId,
      ...(input.language ? { setting: JSON.stringify({ language: input.language }) } : {}),
      created_at: createdAt,
    },
    { transaction },
  )
  const { id } = made.get()
  if (input.provider) {
    const { id: provider, subject, issuer = '' } = input.provider
    const identity = { provider, subject, issuer, user_id: id, created_at: createdAt }
    await userIdentities(deps.database).create(identity, { transaction })
  }
  return id
}

function giftsFor(options: OptionService, input: PreparedAccount, inviterId: number): Gifts {
  const isInvited = inviterId !== 0
  return {
    newUser: input.quota ?? options.get<number>('QuotaForNewUser'),
    invitee: isInvited ? options.get<number>('QuotaForInvitee') : 0,
    inviter: isInvited ? options.get<number>('QuotaForInviter') : 0,
  }
}

async function giveUnits(
  ledger: LedgerService,
  userId: number,
  input: PreparedAccount,
  gifts: Gifts,
  transaction: Transaction,
): Promise<void> {
  const first: LedgerKind = input.by === 'setup' ? 'setup' : 'gift'
  const ref = `user:${userId}`
  if (gifts.newUser > 0) {
    await ledger.change({ userId, units: gifts.newUser, kind: first, ref, transaction })
  }
  if (gifts.invitee > 0) {
    await ledger.change({ userId, units: gifts.invitee, kind: 'invite', ref, transaction })
  }
}
