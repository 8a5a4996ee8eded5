import type { Transaction } from 'sequelize'
import type { AccountService } from '../contract/account-services.ts'
import type { AppError } from '../contract/errors.ts'
import type { DatabaseService, SecretService } from '../contract/services.ts'
import type { LedgerKind, LedgerService } from '../contract/money-services.ts'
import type { OptionService } from '../contract/options.ts'
import { emailTaken, identityTaken, usernameTaken } from './account-errors.ts'
import { checkNewPassword, readDisplayName, readUsername } from './account-rules.ts'
import { hashPassword } from './passwords.ts'
import { PROVIDER_COLUMNS, selectUsers, type UserRow } from './user-rows.ts'

export type NewAccount = Parameters<AccountService['create']>[0]

export interface CreateDeps {
  database: DatabaseService
  secrets: SecretService
  ledger: LedgerService
  options: OptionService
  now: () => number
}

/** Units that come with a new account; each one above 0 gets its log row. */
export interface Gifts {
  newUser: number
  invitee: number
  inviter: number
}

export interface CreatedAccount {
  row: UserRow
  gifts: Gifts
  /** The live inviter, else 0. */
  inviterId: number
}

const UNIQUE_COLUMNS: readonly [string, () => AppError][] = [
  ['username', usernameTaken],
  ['email', emailTaken],
  ...[...PROVIDER_COLUMNS].map((column): [string, () => AppError] => [column, identityTaken]),
]

/** Enough letters that a guess rarely credits a stranger. */
const AFF_CODE_LENGTH = 6

export function newAffCode(secrets: SecretService): string {
  return secrets.random(AFF_CODE_LENGTH)
}

/** Checks and hashes before the transaction, which must be short. */
export async function prepareAccount(input: NewAccount) {
  const username = readUsername(input.username)
  if (input.password !== undefined) checkNewPassword(input.password)
  if (input.provider && !PROVIDER_COLUMNS.has(input.provider.column)) {
    throw new Error(`${input.provider.column} is no column of an identity`)
  }
  return {
    ...input,
    username,
    display_name: readDisplayName(input.display_name ?? '') || username,
    email: (input.email ?? '').trim().toLowerCase(),
    passwordHash: input.password === undefined ? '' : await hashPassword(input.password),
  }
}

type PreparedAccount = Awaited<ReturnType<typeof prepareAccount>>

export function uniqueColumnsOf({ username, email, provider }: PreparedAccount) {
  return { username, email, ...(provider ? { [provider.column]: provider.id } : {}) }
}

/** Account, gift and invite rewards, all or nothing. @throws account.username_taken, account.email_taken */
export async function insertAccount(
  deps: CreateDeps,
  input: PreparedAccount,
  transaction: Transaction,
): Promise<CreatedAccount> {
  await refuseTaken(deps.database, uniqueColumnsOf(input), { transaction })
  const inviterId = await liveInviter(deps.database, input.inviter_id ?? 0, transaction)
  const id = await insertRow(deps, input, inviterId, transaction)
  const gifts = giftsFor(deps.options, input, inviterId)
  await giveUnits(deps.ledger, id, input, gifts, transaction)
  if (inviterId !== 0) {
    await deps.database.run(
      `UPDATE users SET aff_count = aff_count + 1, aff_quota = aff_quota + :units,
         aff_history_quota = aff_history_quota + :units WHERE id = :inviterId`,
      { inviterId, units: gifts.inviter },
      transaction,
    )
  }
  const [row] = await selectUsers(deps.database, 'WHERE id = :id', { id }, transaction)
  if (!row) throw new Error(`The new account ${id} cannot be read back`)
  return { row, gifts, inviterId }
}

/** Says which of the unique values another account holds, deregistered ones included; nothing when none does. */
export async function refuseTaken(
  database: DatabaseService,
  columns: Readonly<Record<string, unknown>>,
  { exceptId = 0, transaction }: { exceptId?: number; transaction?: Transaction } = {},
): Promise<void> {
  for (const [column, taken] of UNIQUE_COLUMNS) {
    const value = columns[column]
    if (value === undefined || value === '') continue
    const sql = `SELECT id FROM users WHERE ${column} = :value AND id <> :exceptId`
    const [holder] = await database.select(sql, { value, exceptId }, transaction)
    if (holder) throw taken()
  }
}

async function liveInviter(
  database: DatabaseService,
  inviterId: number,
  transaction: Transaction,
): Promise<number> {
  if (inviterId === 0) return 0
  const [row] = await database.select<{ id: number }>(
    'SELECT id FROM users WHERE id = :inviterId AND status = 1 AND deleted_at IS NULL',
    { inviterId },
    transaction,
  )
  return row?.id ?? 0
}

async function insertRow(
  deps: CreateDeps,
  input: PreparedAccount,
  inviterId: number,
  transaction: Transaction,
): Promise<number> {
  const columns: Record<string, unknown> = {
    username: input.username,
    password: input.passwordHash,
    display_name: input.display_name,
    role: input.role ?? 1,
    status: 1,
    email: input.email,
    // The super admin of the setup invites nobody by an address that he did not ask for.
    aff_code: input.by === 'setup' ? null : newAffCode(deps.secrets),
    inviter_id: inviterId,
    created_at: Math.floor(deps.now() / 1000),
    ...(input.provider ? { [input.provider.column]: input.provider.id } : {}),
  }
  const names = Object.keys(columns)
  const [inserted] = await deps.database.select<{ id: number }>(
    `INSERT INTO users (${names.join(', ')})
     VALUES (${names.map((name) => `:${name}`).join(', ')}) RETURNING id`,
    columns,
    transaction,
  )
  if (!inserted) throw new Error('The new account got no id')
  return inserted.id
}

function giftsFor(options: OptionService, input: PreparedAccount, inviterId: number): Gifts {
  const isInvited = inviterId !== 0
  return {
    newUser: input.quota ?? unitsOf(options, 'QuotaForNewUser'),
    invitee: isInvited ? unitsOf(options, 'QuotaForInvitee') : 0,
    inviter: isInvited ? unitsOf(options, 'QuotaForInviter') : 0,
  }
}

/** 0 while the plugin that owns the option is off. */
function unitsOf(options: OptionService, key: string): number {
  return options.schemaOf(key) ? options.get<number>(key) : 0
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
