// The second factors of an account, whatever their kind, and who is required to have one.
import { LRUCache } from 'lru-cache'
import type { Transaction } from 'sequelize'
import { role, userStatus } from '../contract/constants.ts'
import { passwordMark } from '../accounts/password-mark.ts'
import { holdReach } from '../accounts/hold-caller.ts'
import type { Caller, Standing } from '../contract/http.ts'
import type { OptionService } from '../contract/options.ts'
import type { DatabaseService, SecretService } from '../contract/services.ts'
import type { FactorKind } from '../contract/sign-in.ts'
import { users } from '../data/models/user.ts'
import type { Passkeys } from './passkeys.ts'
import type { SecondFactors } from './second-factors.ts'
import { banned, deregistered, factorNeedsSignIn } from './sign-in-errors.ts'

export interface FactorDeps {
  database: DatabaseService
  secrets: SecretService
  secondFactors: SecondFactors
  passkeys: Passkeys
  options: OptionService
}

/** How long the answer about a caller is cached. */
const CACHE_MS = 3000

export class Factors {
  readonly #deps: FactorDeps
  /** Admins who have a factor; only filled while admins are required to have one. */
  readonly #equipped = new LRUCache<number, true>({ max: 1000, ttl: CACHE_MS })

  constructor(deps: FactorDeps) {
    this.#deps = deps
  }

  async kindsOf(userId: number): Promise<FactorKind[]> {
    const { secondFactors, passkeys } = this.#deps
    const [hasCodes, hasPasskey] = [
      await secondFactors.isEnabled(userId),
      await passkeys.has(userId),
    ]
    return [...(hasCodes ? (['totp'] as const) : []), ...(hasPasskey ? (['passkey'] as const) : [])]
  }

  async passwordMark(userId: number): Promise<string> {
    const { database, secrets } = this.#deps
    const row = await users(database).findByPk(userId, { attributes: ['password'] })
    return passwordMark(secrets, row?.get().password ?? '')
  }

  /** To be awaited in the transaction that creates a session. It refuses a user who was banned or deleted, or whose
   *  password changed, after the credentials were checked.
   *  @throws sign_in.banned, sign_in.deregistered, second_factor.no_sign_in */
  admission(userId: number, mark: string) {
    const { database, secrets } = this.#deps
    return async (transaction: Transaction): Promise<void> => {
      const found = await users(database).findByPk(userId, {
        attributes: ['password', 'status', 'deleted_at'],
        lock: transaction.LOCK.UPDATE,
        transaction,
      })
      const row = found?.get()
      if (!row || row.deleted_at !== null) throw deregistered()
      if (row.status !== userStatus.active) throw banned()
      if (passwordMark(secrets, row.password) !== mark) throw factorNeedsSignIn()
    }
  }

  /** True if the caller must set up a second factor before anything else is allowed. */
  async isMissing({ id, role: ofCaller }: Pick<Caller, 'id' | 'role'>): Promise<boolean> {
    const { options } = this.#deps
    if (ofCaller < role.admin || !options.get<boolean>('AdminSecondFactorRequired')) return false
    if (this.#equipped.has(id)) return false
    if ((await this.kindsOf(id)).length === 0) return true
    this.#equipped.set(id, true)
    return false
  }

  /** Removes all second factors of a user.
   *  @param caller whose session must still be valid, and whose role must still be above the user's; absent for the
   *  operator's command
   *  @returns false if the user had none
   *  @throws auth.required, access.role_too_low */
  async removeAll(userId: number, caller?: Standing): Promise<boolean> {
    const { database, secondFactors, passkeys } = this.#deps
    const had = await database.transaction(async (transaction) => {
      if (caller) await holdReach(database, caller, userId, transaction)
      const hadCodes = await secondFactors.removeIn(userId, transaction)
      return (await passkeys.removeAllIn(userId, transaction)) || hadCodes
    })
    this.#equipped.delete(userId)
    return had
  }
}
