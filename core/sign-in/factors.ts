// What an account asks for beside its first factor, whatever kind it is, and who must have something of it.
import { LRUCache } from 'lru-cache'
import type { Transaction } from 'sequelize'
import { role, userStatus } from '../contract/constants.ts'
import { passwordMark } from '../accounts/password-mark.ts'
import { holdCaller } from '../accounts/hold-caller.ts'
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

/** As long as a caller is remembered. */
const CACHE_MS = 3000

export class Factors {
  readonly #deps: FactorDeps
  /** Of admins, while a factor is asked of them: those that have one. */
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

  /** For the transaction that makes a session: an account that was shut, or got another password, since somebody showed whose it is, lets
   *  nobody in. @throws sign_in.banned, sign_in.deregistered, second_factor.no_sign_in */
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

  /** True: until he has one, he may do nothing else. */
  async isMissing({ id, role: ofCaller }: Pick<Caller, 'id' | 'role'>): Promise<boolean> {
    const { options } = this.#deps
    if (ofCaller < role.admin || !options.get<boolean>('AdminSecondFactorRequired')) return false
    if (this.#equipped.has(id)) return false
    if ((await this.kindsOf(id)).length === 0) return true
    this.#equipped.set(id, true)
    return false
  }

  /** @param caller who must be let in still; none for the operator's command. False when there was none. @throws auth.required */
  async removeAll(userId: number, caller?: Standing): Promise<boolean> {
    const { database, secondFactors, passkeys } = this.#deps
    const had = await database.transaction(async (transaction) => {
      if (caller) await holdCaller(database, caller, transaction)
      const hadCodes = await secondFactors.removeIn(userId, transaction)
      return (await passkeys.removeAllIn(userId, transaction)) || hadCodes
    })
    this.#equipped.delete(userId)
    return had
  }
}
