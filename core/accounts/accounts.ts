import type { Transaction } from 'sequelize'
import type {
  AccountService,
  OneTimeCodes,
  UserRecord,
  UserSetting,
} from '../contract/account-services.ts'
import type { ClusterBus, DatabaseService, SecretService } from '../contract/services.ts'
import type { EventBus } from '../contract/events.ts'
import type { LedgerService, LogService } from '../contract/money-services.ts'
import type { OptionService } from '../contract/options.ts'
import { clientNetwork } from '../net/client-network.ts'
import { accountUnknown, affQuotaInsufficient } from './account-errors.ts'
import { AccountQueries } from './account-queries.ts'
import { checkNewPassword, readDisplayName, readUsername } from './account-rules.ts'
import {
  insertAccount,
  newAffCode,
  prepareAccount,
  refuseTaken,
  uniqueColumnsOf,
  type CreatedAccount,
  type NewAccount,
} from './create-account.ts'
import { writeCreationLogs } from './creation-logs.ts'
import { createOneTimeCodes } from './one-time-codes.ts'
import { hashPassword, isOutdated, verifyAgainstNobody, verifyPassword } from './passwords.ts'
import type { Sessions } from './sessions.ts'
import { readChanges, type AccountChanges, type UpdateOptions } from './update-account.ts'
import { createUserChanges, type UserChanges } from './user-changes.ts'
import { selectUsers, toRecord, type UserRow } from './user-rows.ts'
import { openSetting, sealSetting } from './user-settings.ts'

export interface AccountDeps {
  database: DatabaseService
  secrets: SecretService
  ledger: LedgerService
  options: OptionService
  events: EventBus
  logs: LogService
  cluster: ClusterBus
  sessions: Sessions
  /** Milliseconds. */
  now?: () => number
}

/** A collision of two random invite codes is the only reason to try again. */
const MAX_CREATE_TRIES = 3
const ACCESS_TOKEN_LENGTH = 32

export function createAccounts(deps: AccountDeps): Accounts {
  return new Accounts(deps)
}

export class Accounts extends AccountQueries implements AccountService {
  readonly codes: OneTimeCodes
  readonly #deps: Required<AccountDeps>
  readonly #changes: UserChanges

  constructor(deps: AccountDeps) {
    super(deps.database)
    this.#deps = { now: Date.now, ...deps }
    this.#changes = createUserChanges(deps)
    this.codes = createOneTimeCodes(this.#deps)
  }

  close(): void {
    this.#changes.close()
  }

  async create(input: NewAccount): Promise<UserRecord> {
    const prepared = await prepareAccount(input)
    const insert = async (transaction: Transaction) => {
      const created = await insertAccount(this.#deps, prepared, transaction)
      transaction.afterCommit(() => this.#tellCreated(created, input))
      return toRecord(created.row)
    }
    if (input.transaction) return insert(input.transaction)
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#deps.database.transaction(insert)
      } catch (error) {
        if (!this.#deps.database.isUniqueViolation(error)) throw error
        await refuseTaken(this.#deps.database, uniqueColumnsOf(prepared))
        if (tries === MAX_CREATE_TRIES) throw error
      }
    }
  }

  checkCredentials(input: { username?: string; password?: string; display_name?: string }): void {
    if (input.username !== undefined) readUsername(input.username)
    if (input.display_name !== undefined) readDisplayName(input.display_name)
    if (input.password !== undefined) checkNewPassword(input.password)
  }

  async update(
    id: number,
    changes: AccountChanges,
    { keepSessionId, alongside }: UpdateOptions = {},
  ): Promise<void> {
    const columns = await readChanges(changes)
    try {
      await this.#deps.database.transaction(async (transaction) => {
        await this.#write(id, columns, keepSessionId, transaction)
        await alongside?.(transaction)
      })
    } catch (error) {
      if (this.#deps.database.isUniqueViolation(error)) {
        await refuseTaken(this.#deps.database, columns, { exceptId: id })
      }
      throw error
    }
  }

  async softDelete(id: number): Promise<void> {
    await this.#deps.database.transaction(async (transaction) => {
      await this.#deps.database.run(
        `UPDATE users SET deleted_at = :now, access_token = NULL
         WHERE id = :id AND deleted_at IS NULL`,
        { id, now: new Date(this.#deps.now()).toISOString() },
        transaction,
      )
      await this.#deps.sessions.endAll(id, { transaction })
      await this.#deps.ledger.recall(id, 0, transaction)
      transaction.afterCommit(() => this.#changes.announce(id, 'deleted'))
    })
  }

  /** Logs and ledger entries stay; a closing entry brings the balance to zero. */
  async hardDelete(id: number): Promise<void> {
    const { database, ledger, sessions } = this.#deps
    await database.transaction(async (transaction) => {
      await ledger.setBalance({ userId: id, balance: 0, ref: `close:${id}`, transaction })
      await database.run('DELETE FROM tokens WHERE user_id = :id', { id }, transaction)
      await sessions.endAll(id, { transaction })
      await database.run('DELETE FROM users WHERE id = :id', { id }, transaction)
      transaction.afterCommit(() => this.#changes.announce(id, 'deleted'))
    })
  }

  async checkPassword(id: number, password: string): Promise<boolean> {
    const row = await this.row(id)
    if (!row || row.password === '') return verifyAgainstNobody(password)
    if (!(await verifyPassword(password, row.password))) return false
    if (isOutdated(row.password)) await this.#renewHash(row, password)
    return true
  }

  async hasPassword(id: number): Promise<boolean> {
    return ((await this.row(id))?.password ?? '') !== ''
  }

  async isKnownNetwork(id: number, network: string): Promise<boolean> {
    const addresses = await this.#deps.sessions.addressesOf(id)
    return addresses.some((address) => clientNetwork(address) === network)
  }

  async settingOf(id: number): Promise<UserSetting> {
    return openSetting((await this.#existing(id)).setting, this.#deps.secrets)
  }

  async saveSetting(id: number, setting: UserSetting): Promise<void> {
    await this.update(id, { setting: sealSetting(setting, this.#deps.secrets) })
  }

  async newAccessToken(id: number, expiresAtSeconds?: number): Promise<string> {
    const { database, secrets } = this.#deps
    const token = secrets.random(ACCESS_TOKEN_LENGTH)
    await database.run(
      `UPDATE users SET access_token = :hash, access_token_expires_at = :expiresAt
       WHERE id = :id`,
      {
        id,
        hash: secrets.lookup('access-token', token),
        expiresAt: expiresAtSeconds ?? null,
      },
    )
    await this.#changes.announce(id, 'changed')
    return token
  }

  async affCode(id: number): Promise<string> {
    const { database, secrets } = this.#deps
    for (let tries = 1; tries <= MAX_CREATE_TRIES; tries += 1) {
      const known = (await this.#existing(id)).aff_code
      if (known) return known
      try {
        await database.run(
          'UPDATE users SET aff_code = :code WHERE id = :id AND aff_code IS NULL',
          { id, code: newAffCode(secrets) },
        )
      } catch (error) {
        if (!database.isUniqueViolation(error)) throw error
      }
    }
    throw new Error(`No free invite code was found for user ${id}`)
  }

  async transferAffQuota(id: number, units: number): Promise<void> {
    const { database, ledger, secrets } = this.#deps
    await database.transaction(async (transaction) => {
      const moved = await database.run(
        'UPDATE users SET aff_quota = aff_quota - :units WHERE id = :id AND aff_quota >= :units',
        { id, units },
        transaction,
      )
      if (moved === 0) throw affQuotaInsufficient()
      const ref = `transfer:${id}:${secrets.random(16)}`
      await ledger.change({ userId: id, units, kind: 'invite', ref, transaction })
      transaction.afterCommit(() => this.#changes.announce(id, 'changed'))
    })
  }

  async endSessions(userId: number, exceptSessionId?: string): Promise<void> {
    await this.#deps.sessions.endAll(userId, { exceptId: exceptSessionId })
  }

  async #existing(id: number): Promise<UserRow> {
    const row = await this.row(id)
    if (!row) throw accountUnknown()
    return row
  }

  async #write(
    id: number,
    columns: Record<string, unknown>,
    keepSessionId: string | undefined,
    transaction: Transaction,
  ): Promise<void> {
    const { database, ledger, sessions } = this.#deps
    const [before] = await selectUsers(database, 'WHERE id = :id', { id }, transaction)
    if (!before) throw accountUnknown()
    if (Object.keys(columns).length === 0) return
    await refuseTaken(database, columns, { exceptId: id, transaction })
    const assignments = Object.keys(columns).map((name) => `"${name}" = :${name}`)
    await database.run(
      `UPDATE users SET ${assignments.join(', ')} WHERE id = :id`,
      { ...columns, id },
      transaction,
    )
    if (endsAccessToken(columns)) {
      await database.run(
        'UPDATE users SET access_token = NULL, access_token_expires_at = NULL WHERE id = :id',
        { id },
        transaction,
      )
    }
    if (losesTrust(before, columns)) {
      await sessions.endAll(id, { exceptId: keepSessionId, transaction })
    }
    if (columns.status !== undefined && columns.status !== 1)
      await ledger.recall(id, 0, transaction)
    transaction.afterCommit(() => this.#changes.announce(id, 'changed'))
  }

  /** Only while the stored hash is still the one that was checked. */
  async #renewHash(row: UserRow, password: string): Promise<void> {
    await this.#deps.database.run(
      'UPDATE users SET password = :hash WHERE id = :id AND password = :before',
      { id: row.id, hash: await hashPassword(password), before: row.password },
    )
  }

  async #tellCreated(created: CreatedAccount, { by }: NewAccount): Promise<void> {
    writeCreationLogs(this.#deps, created, by)
    this.#deps.events.emit('user.registered', { userId: created.row.id, by })
    if (created.inviterId !== 0) await this.#changes.announce(created.inviterId, 'changed')
  }
}

/** A new password and a ban: whoever knew the token may be the reason. With a lower role it goes on, with that role. */
function endsAccessToken({ password, status }: Record<string, unknown>): boolean {
  return password !== undefined || (status !== undefined && status !== 1)
}

/** A new password, a lower role and a ban end the sessions at once. */
function losesTrust(before: UserRow, columns: Record<string, unknown>): boolean {
  const { password, role, status } = columns
  if (password !== undefined) return true
  if (typeof role === 'number' && role < before.role) return true
  return status !== undefined && status !== 1
}
