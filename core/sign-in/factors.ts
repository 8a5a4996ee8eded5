// What an account asks for beside its first factor, whatever kind it is, and who must have something of it.
import { LRUCache } from 'lru-cache'
import { role } from '../contract/constants.ts'
import type { Caller } from '../contract/http.ts'
import type { OptionService } from '../contract/options.ts'
import type { DatabaseService, SecretService } from '../contract/services.ts'
import type { FactorKind } from '../contract/sign-in.ts'
import { users } from '../data/models/user.ts'
import type { Passkeys } from './passkeys.ts'
import type { SecondFactors } from './second-factors.ts'

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

  /** Changes with the password: what was begun with the one before it ends. */
  async passwordMark(userId: number): Promise<string> {
    const { database, secrets } = this.#deps
    const row = await users(database).findByPk(userId, { attributes: ['password'] })
    return secrets.lookup('code', `password\n${row?.get().password ?? ''}`)
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

  /** False when there was none. */
  async removeAll(userId: number): Promise<boolean> {
    const { secondFactors, passkeys } = this.#deps
    const hadCodes = await secondFactors.remove(userId)
    const hadPasskey = await passkeys.removeAll(userId)
    this.#equipped.delete(userId)
    return hadCodes || hadPasskey
  }
}
