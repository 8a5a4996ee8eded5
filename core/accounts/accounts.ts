import { userStatus } from '../contract/constants.ts'
import type { Transaction } from 'sequelize'
import type {
  AccountService,
  OneTimeCodes,
  UserRecord,
  UserSession,
  UserSetting,
} from '../contract/account-services.ts'
import type { Standing } from '../contract/http.ts'
import type { ClusterBus, DatabaseService, SecretService } from '../contract/services.ts'
import type { EventBus } from '../contract/events.ts'
import type { LedgerService, LogService } from '../contract/money-services.ts'
import type { OptionService } from '../contract/options.ts'
import { clientNetwork } from '../net/addresses/client-network.ts'
import { accountUnknown, affQuotaInsufficient } from './account-errors.ts'
import { AccountQueries } from './account-queries.ts'
import { checkEmail } from './email-rules.ts'
import { checkNewPassword, readDisplayName, readUsername } from './account-rules.ts'
import {
  insertAccount,
  newAffCode,
  prepareAccount,
  refuseTaken,
  uniqueValuesOf,
  type CreatedAccount,
  type NewAccount,
} from './create-account.ts'
import { writeCreationLogs } from './creation-logs.ts'
import { holdCaller, holdReach } from './hold-caller.ts'
import { takeAffQuota } from './invite-quota-sql.ts'
import { StoredCodes } from './one-time-codes.ts'
import { keepLastSuper } from './last-super.ts'
import { passwordMark } from './password-mark.ts'
import { hashPassword, isOutdated, verifyAgainstNobody, verifyPassword } from './passwords.ts'
import type { Sessions } from './sessions.ts'
import {
  readChanges,
  refuseChanged,
  type AccountChanges,
  type ReadChanges,
  type UpdateOptions,
} from './update-account.ts'
import { createUserChanges, type UserChanges } from './user-changes.ts'
import { tokens } from '../data/models/token.ts'
import { passkeys } from '../data/models/passkey.ts'
import { secondFactors } from '../data/models/second-factor.ts'
import { users, type UserRow } from '../data/models/user.ts'
import { userIdentities } from '../data/models/user-identity.ts'
import { writeIdentities } from './identities.ts'
import { findUser, recordsOf } from './user-records.ts'
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

/** The only reason to try again is that two random invite codes collide. */
const MAX_CREATE_TRIES = 3
const ACCESS_TOKEN_LENGTH = 32

export class Accounts extends AccountQueries implements AccountService {
  readonly codes: OneTimeCodes
  readonly #deps: Required<AccountDeps>
  readonly #changes: UserChanges

  constructor(deps: AccountDeps) {
    super(deps.database)
    this.#deps = { now: Date.now, ...deps }
    this.#changes = createUserChanges(deps)
    this.codes = new StoredCodes(this.#deps)
  }

  close(): void {
    this.#changes.close()
  }

  async create(input: NewAccount): Promise<UserRecord> {
    const prepared = await prepareAccount(input)
    const insert = async (transaction: Transaction) => {
      if (input.caller) await holdCaller(this.#deps.database, input.caller, transaction)
      const created = await insertAccount(this.#deps, prepared, transaction)
      await writeCreationLogs(this.#deps, created, input.by, transaction)
      transaction.afterCommit(() => this.#emitRegistered(created, input))
      const [record] = await recordsOf(this.#deps.database, [created.row], transaction)
      if (!record) throw new Error('The new account has no record')
      return record
    }
    if (input.transaction) return insert(input.transaction)
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#deps.database.transaction(insert)
      } catch (error) {
        if (!this.#deps.database.isUniqueViolation(error)) throw error
        await refuseTaken(this.#deps.database, uniqueValuesOf(prepared))
        if (tries === MAX_CREATE_TRIES) throw error
      }
    }
  }

  checkCredentials(input: { username?: string; password?: string; display_name?: string }): void {
    if (input.username !== undefined) readUsername(input.username)
    if (input.display_name !== undefined) readDisplayName(input.display_name)
    if (input.password !== undefined) checkNewPassword(input.password)
  }

  checkEmail(address: string): void {
    checkEmail(this.#deps.options, address)
  }

  async update(
    id: number,
    changes: AccountChanges,
    { keepSessionId, caller, shown, alongside }: UpdateOptions = {},
  ): Promise<void> {
    const read = await readChanges(changes)
    try {
      await this.#deps.database.transaction(async (transaction) => {
        if (caller) await holdReach(this.#deps.database, caller, id, transaction)
        if (shown) refuseChanged(await this.#held(id, transaction), read, shown)
        await this.#write(id, read, keepSessionId, transaction)
        await alongside?.(transaction)
      })
    } catch (error) {
      if (this.#deps.database.isUniqueViolation(error)) {
        const values = { ...read.columns, identities: read.identities }
        await refuseTaken(this.#deps.database, values, { exceptId: id })
      }
      throw error
    }
  }

  async softDelete(id: number, caller?: Standing): Promise<void> {
    await this.#deps.database.transaction(async (transaction) => {
      if (caller) await holdReach(this.#deps.database, caller, id, transaction)
      await keepLastSuper(this.#deps.database, id, undefined, transaction)
      await users(this.#deps.database).update(
        { deleted_at: new Date(this.#deps.now()), access_token: null },
        { where: { id, deleted_at: null }, transaction },
      )
      await this.#deps.sessions.endAll(id, { transaction })
      await this.#deps.ledger.recall(id, 0, transaction)
      transaction.afterCommit(() => this.#changes.announce(id, 'deleted'))
    })
  }

  /** Logs and ledger entries stay; a closing entry sets the balance to zero. */
  async hardDelete(id: number, caller?: Standing): Promise<void> {
    const { database, ledger, sessions } = this.#deps
    await database.transaction(async (transaction) => {
      if (caller) await holdReach(database, caller, id, transaction)
      await keepLastSuper(database, id, undefined, transaction)
      await ledger.setBalance({ userId: id, balance: 0, ref: `close:${id}`, transaction })
      await tokens(database).destroy({ where: { user_id: id }, transaction })
      await userIdentities(database).destroy({ where: { user_id: id }, transaction })
      await secondFactors(database).destroy({ where: { user_id: id }, transaction })
      await passkeys(database).destroy({ where: { user_id: id }, transaction })
      await sessions.endAll(id, { transaction })
      await users(database).destroy({ where: { id }, transaction })
      transaction.afterCommit(() => this.#changes.announce(id, 'deleted'))
    })
  }

  async checkPassword(id: number, password: string, knownDevice?: string): Promise<boolean> {
    return (await this.matchPassword(id, password, knownDevice)) !== undefined
  }

  async matchPassword(
    id: number,
    password: string,
    knownDevice?: string,
  ): Promise<string | undefined> {
    const row = await this.row(id)
    const isRight =
      !row || row.password === ''
        ? await verifyAgainstNobody(password)
        : await verifyPassword(password, row.password, knownDevice)
    if (!row || !isRight) return undefined
    const hash = isOutdated(row.password)
      ? await this.#renewHash(row, password, knownDevice)
      : row.password
    return passwordMark(this.#deps.secrets, hash)
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

  async settingsOf(ids: readonly number[]): Promise<ReadonlyMap<number, UserSetting>> {
    const { database, secrets } = this.#deps
    const rows = await users(database).findAll({
      attributes: ['id', 'setting'],
      where: { id: [...ids] },
    })
    return new Map(
      rows.map((row) => {
        const { id, setting } = row.get()
        return [id, openSetting(setting, secrets)]
      }),
    )
  }

  async saveSetting(id: number, setting: UserSetting): Promise<void> {
    await this.changeSetting(id, () => setting)
  }

  async changeSetting(id: number, next: (saved: UserSetting) => UserSetting): Promise<void> {
    const { database, secrets } = this.#deps
    await database.transaction(async (transaction) => {
      const { setting: saved } = await this.#held(id, transaction)
      const setting = sealSetting(next(openSetting(saved, secrets)), secrets)
      await users(database).update({ setting }, { where: { id }, transaction })
      transaction.afterCommit(() => this.#changes.announce(id, 'changed'))
    })
  }

  async newAccessToken(id: number, expiresAtSeconds?: number, caller?: Standing): Promise<string> {
    const { database, secrets } = this.#deps
    const token = secrets.random(ACCESS_TOKEN_LENGTH)
    await database.transaction(async (transaction) => {
      if (caller) await holdCaller(database, caller, transaction)
      await users(database).update(
        {
          access_token: secrets.lookup('access-token', token),
          access_token_expires_at: expiresAtSeconds ?? null,
        },
        { where: { id }, transaction },
      )
      transaction.afterCommit(() => this.#changes.announce(id, 'changed'))
    })
    return token
  }

  async affCode(id: number): Promise<string> {
    const { database, secrets } = this.#deps
    for (let tries = 1; tries <= MAX_CREATE_TRIES; tries += 1) {
      const known = (await this.#existing(id)).aff_code
      if (known) return known
      try {
        const where = { id, aff_code: null }
        await users(database).update({ aff_code: newAffCode(secrets) }, { where })
      } catch (error) {
        if (!database.isUniqueViolation(error)) throw error
      }
    }
    throw new Error(`No free invite code was found for user ${id}`)
  }

  async transferAffQuota(
    id: number,
    units: number,
    alongside?: (transaction: Transaction) => Promise<void>,
  ): Promise<void> {
    const { database, ledger, secrets } = this.#deps
    await database.transaction(async (transaction) => {
      if (!(await takeAffQuota(database, { id, units }, transaction))) {
        throw affQuotaInsufficient()
      }
      const ref = `transfer:${id}:${secrets.random(16)}`
      await ledger.change({ userId: id, units, kind: 'invite', ref, transaction })
      await alongside?.(transaction)
      transaction.afterCommit(() => this.#changes.announce(id, 'changed'))
    })
  }

  sessionsOf(userId: number): Promise<UserSession[]> {
    return this.#deps.sessions.list(userId)
  }

  endSession(userId: number, sessionId: string): Promise<boolean> {
    return this.#deps.sessions.endOne(userId, sessionId)
  }

  async endSessions(userId: number, exceptSessionId?: string): Promise<void> {
    await this.#deps.sessions.endAll(userId, { exceptId: exceptSessionId })
  }

  /** Reads the account and locks it until the transaction ends. */
  async #held(id: number, transaction: Transaction): Promise<UserRow> {
    const lock = transaction.LOCK.UPDATE
    const found = await users(this.#deps.database).findByPk(id, { lock, transaction })
    if (!found) throw accountUnknown()
    return found.get()
  }

  async #existing(id: number): Promise<UserRow> {
    const row = await this.row(id)
    if (!row) throw accountUnknown()
    return row
  }

  async #write(
    id: number,
    { columns, identities }: ReadChanges,
    keepSessionId: string | undefined,
    transaction: Transaction,
  ): Promise<void> {
    const { database, ledger, sessions } = this.#deps
    const before = await findUser(database, { id }, transaction)
    if (!before) throw accountUnknown()
    if (Object.keys({ ...columns, ...identities }).length === 0) return
    await keepLastSuper(database, id, columns, transaction)
    await refuseTaken(database, { ...columns, identities }, { exceptId: id, transaction })
    const ended = endsAccessToken(columns)
      ? { access_token: null, access_token_expires_at: null }
      : {}
    await users(database).update({ ...columns, ...ended }, { where: { id }, transaction })
    const createdAt = Math.floor(this.#deps.now() / 1000)
    await writeIdentities(database, { userId: id, identities, createdAt }, transaction)
    if (losesTrust(before, columns)) {
      await sessions.endAll(id, { exceptId: keepSessionId, transaction })
    }
    if (columns.status !== undefined && columns.status !== userStatus.active)
      await ledger.recall(id, 0, transaction)
    transaction.afterCommit(() => this.#changes.announce(id, 'changed'))
  }

  /** Only if the stored hash is still the one that was checked. @returns the current hash of the password */
  async #renewHash(row: UserRow, password: string, device?: string): Promise<string> {
    const renewed = await hashPassword(password, device)
    const [written] = await users(this.#deps.database).update(
      { password: renewed },
      { where: { id: row.id, password: row.password } },
    )
    return written === 1 ? renewed : row.password
  }

  async #emitRegistered(created: CreatedAccount, { by }: NewAccount): Promise<void> {
    this.#deps.events.emit('user.registered', { userId: created.row.id, by })
    if (created.inviterId !== 0) await this.#changes.announce(created.inviterId, 'changed')
  }
}

/** A new password or a ban ends the token, since whoever knew it may be the reason. A lower role only lowers what the token may do. */
function endsAccessToken({ password, status }: ReadChanges['columns']): boolean {
  return password !== undefined || (status !== undefined && status !== userStatus.active)
}

/** A new password, a lower role and a ban end the sessions at once. */
function losesTrust(before: UserRow, columns: ReadChanges['columns']): boolean {
  const { password, role, status } = columns
  if (password !== undefined) return true
  if (typeof role === 'number' && role < before.role) return true
  return status !== undefined && status !== userStatus.active
}
