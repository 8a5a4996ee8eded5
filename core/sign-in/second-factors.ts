// Authenticator codes (TOTP, RFC 6238) and recovery codes of each user. Each code can be used once.
import { Op, type Transaction } from 'sequelize'
import { Secret, TOTP } from 'otpauth'
import type { FastifyRequest } from 'fastify'
import type { Standing } from '../contract/http.ts'
import type { DatabaseService, GuessService, SecretService } from '../contract/services.ts'
import type { OptionService } from '../contract/options.ts'
import { heldTransaction } from '../accounts/hold-caller.ts'
import { secondFactors, type SecondFactorRow } from '../data/models/second-factor.ts'
import { factorCodeWrong, factorIsOn, factorIsOff, factorNotSetUp } from './sign-in-errors.ts'

/** The period of a code. Those before and after the current one are accepted too, for clocks that are wrong. */
const PERIOD_SECONDS = 30
const DRIFT = 1
const RECOVERY_CODES = 10
/** Without characters that are easily confused: 31 characters, so ten of them hold 49 bits. */
const RECOVERY_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const RECOVERY_LENGTH = 10
/** Three codes are valid at a time, so one guess a second would succeed within days. A hundred a day take thirty years. */
const MOST_GUESSES_A_DAY = 100

/** Where the request with the code came from. */
type Origin = Pick<FastifyRequest, 'clientAddress' | 'session'>

export interface SecondFactorDeps {
  database: DatabaseService
  secrets: SecretService
  guesses: GuessService
  options: OptionService
  now?: () => number
}

export interface FactorSetup {
  secret: string
  /** The otpauth address, shown as a QR code. */
  qr_code_data: string
  backup_codes: string[]
}

export class SecondFactors {
  readonly #deps: Required<SecondFactorDeps>

  constructor(deps: SecondFactorDeps) {
    this.#deps = { now: Date.now, ...deps }
  }

  async isEnabled(userId: number): Promise<boolean> {
    return (await this.#row(userId))?.is_enabled === 1
  }

  async status(userId: number): Promise<{ enabled: boolean; backup_codes_remaining: number }> {
    const row = await this.#row(userId)
    const enabled = row?.is_enabled === 1
    return { enabled, backup_codes_remaining: enabled ? codesIn(row).length : 0 }
  }

  /** Creates a secret, which becomes active with the first right code.
   *  @throws second_factor.on, auth.required */
  async setUp(user: Standing & { username: string }): Promise<FactorSetup> {
    const { secrets, options, now } = this.#deps
    if (await this.isEnabled(user.id)) throw factorIsOn()
    const secret = new Secret({ size: 20 })
    const codes = this.#newCodes()
    await this.#keep(user, {
      user_id: user.id,
      secret: secrets.encrypt(secret.base32),
      is_enabled: 0,
      last_step: 0,
      recovery: this.#sealed(user.id, codes),
      created_at: Math.floor(now() / 1000),
    })
    const issuer = options.get<string>('SystemName')
    const totp = new TOTP({ issuer, label: user.username, secret, period: PERIOD_SECONDS })
    return { secret: secret.base32, qr_code_data: totp.toString(), backup_codes: codes }
  }

  /** @throws second_factor.on, second_factor.not_set_up, second_factor.code_wrong, guesses.too_many, auth.required */
  async enable(caller: Standing, code: string, from: Origin): Promise<void> {
    const userId = caller.id
    const row = await this.#row(userId)
    if (!row) throw factorNotSetUp()
    if (row.is_enabled === 1) throw factorIsOn()
    await this.#judge(userId, from, () => this.#useTotp(row, code))
    const where = { user_id: userId, secret: row.secret }
    const enabled = await this.#change(caller, { is_enabled: 1 }, where)
    // The secret was replaced by another set-up in the meantime, so this code does not belong to it.
    if (enabled === 0) throw factorNotSetUp()
  }

  /** Accepts a code of either kind and marks it as used.
   *  @throws second_factor.off, second_factor.code_wrong, guesses.too_many */
  async check(userId: number, code: string, from: Origin): Promise<void> {
    const row = await this.#row(userId)
    if (row?.is_enabled !== 1) throw factorIsOff()
    await this.#judge(
      userId,
      from,
      async () => (await this.#useTotp(row, code)) || (await this.#useRecovery(row, code)),
    )
  }

  /** @throws auth.required */
  async renewCodes(caller: Standing): Promise<string[]> {
    const codes = this.#newCodes()
    const recovery = this.#sealed(caller.id, codes)
    await this.#change(caller, { recovery }, { user_id: caller.id })
    return codes
  }

  /** Removes the caller's own factor if the session is still valid. */
  async removeOwn(caller: Standing): Promise<void> {
    await heldTransaction(this.#deps.database, caller, (transaction) =>
      this.removeIn(caller.id, transaction),
    )
  }

  /** Runs in a transaction that has locked the caller's row.
   *  @returns false if the user had none */
  async removeIn(userId: number, transaction: Transaction): Promise<boolean> {
    const where = { user_id: userId }
    return (await secondFactors(this.#deps.database).destroy({ where, transaction })) > 0
  }

  /** Replaces a secret that was never activated.
   *  @throws second_factor.on */
  async #keep(caller: Standing, row: SecondFactorRow): Promise<void> {
    const { database } = this.#deps
    const table = secondFactors(database)
    try {
      await heldTransaction(database, caller, async (transaction) => {
        await table.destroy({ where: { user_id: row.user_id, is_enabled: 0 }, transaction })
        await table.create(row, { transaction })
      })
    } catch (error) {
      if (database.isUniqueViolation(error)) throw factorIsOn()
      throw error
    }
  }

  /** Changes the row if the caller's session is still valid.
   *  @returns the number of rows changed */
  #change(
    caller: Standing,
    changes: Partial<SecondFactorRow>,
    where: Partial<SecondFactorRow>,
  ): Promise<number> {
    const { database } = this.#deps
    return heldTransaction(database, caller, async (transaction) => {
      const [changed] = await secondFactors(database).update(changes, { where, transaction })
      return changed
    })
  }

  async #judge(
    userId: number,
    { clientAddress: address, session }: Origin,
    check: () => Promise<boolean>,
  ): Promise<void> {
    const guess = {
      kind: 'second-factor',
      subject: String(userId),
      address,
      knownDevice: async () => (await session.knownDevices()).get(userId),
      mostADay: MOST_GUESSES_A_DAY,
    }
    const isRight = await this.#deps.guesses.judge(guess, async () => (await check()) || undefined)
    if (!isRight) throw factorCodeWrong({}, { field: 'code' })
  }

  /** Stores the code's period if it is later than the stored one, in one conditional write: of two calls with the same
   *  code, one succeeds. */
  async #useTotp(row: SecondFactorRow, code: string): Promise<boolean> {
    if (!/^\d{6}$/.test(code)) return false
    const { database, secrets, now } = this.#deps
    const secret = Secret.fromBase32(secrets.decrypt(row.secret))
    const timestamp = now()
    const totp = new TOTP({ secret, period: PERIOD_SECONDS })
    const delta = totp.validate({ token: code, timestamp, window: DRIFT })
    if (delta === null) return false
    const step = Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta
    const [used] = await secondFactors(database).update(
      { last_step: step },
      { where: { user_id: row.user_id, secret: row.secret, last_step: { [Op.lt]: step } } },
    )
    return used === 1
  }

  async #useRecovery(row: SecondFactorRow, code: string): Promise<boolean> {
    const hash = this.#hash(row.user_id, code.toLowerCase().replaceAll(/[\s-]/g, ''))
    const left = codesIn(row)
    if (!left.includes(hash)) return false
    const recovery = JSON.stringify(left.filter((one) => one !== hash))
    const [used] = await secondFactors(this.#deps.database).update(
      { recovery },
      { where: { user_id: row.user_id, recovery: row.recovery } },
    )
    return used === 1
  }

  #newCodes(): string[] {
    const { secrets } = this.#deps
    return Array.from({ length: RECOVERY_CODES }, () =>
      secrets.random(RECOVERY_LENGTH, RECOVERY_ALPHABET),
    )
  }

  #sealed(userId: number, codes: readonly string[]): string {
    return JSON.stringify(codes.map((code) => this.#hash(userId, code)))
  }

  #hash(userId: number, code: string): string {
    return this.#deps.secrets.lookup('code', `recovery\n${userId}\n${code}`)
  }

  async #row(userId: number): Promise<SecondFactorRow | undefined> {
    return (await secondFactors(this.#deps.database).findByPk(userId))?.get()
  }
}

function codesIn(row: SecondFactorRow): string[] {
  const codes: unknown = JSON.parse(row.recovery)
  return Array.isArray(codes) ? codes.filter((code) => typeof code === 'string') : []
}
