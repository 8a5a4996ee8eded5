import { literal, Op } from 'sequelize'
import type { DatabaseService, SecretService } from '../contract/services.ts'
import { isSameSecret } from '../contract/same-secret.ts'
import type { OneTimeCodes } from '../contract/account-services.ts'
import { type OneTimeCodeRow, oneTimeCodes } from '../data/models/one-time-code.ts'

/** For short codes. `guesses` stops each guessing network long before; a lower limit here would let two or three
 *  networks use up somebody else's code. With a hundred tries, one of a million codes is found once in ten thousand
 *  times. */
const MAX_TRIES = 100
/** Longer codes cannot be guessed, so tries are not limited. */
const LONGEST_GUESSED = 12
/** A start value from which tries never reach the limit. */
const UNGUESSED = -1_000_000_000
const MAX_ROUNDS = 5

interface CodeDeps {
  database: DatabaseService
  secrets: SecretService
  now: () => number
}

export class StoredCodes implements OneTimeCodes {
  readonly #deps: CodeDeps

  constructor(deps: CodeDeps) {
    this.#deps = deps
  }

  async put(purpose: string, subject: string, code: string, lifetimeSeconds: number) {
    await this.#dropExpired()
    const row = this.#row(purpose, subject, code, lifetimeSeconds)
    // A link is created anew each time.
    const sealed = code.length > LONGEST_GUESSED ? '' : row.sealed
    await this.#table.upsert({ ...row, sealed })
  }

  async keep(purpose: string, subject: string, fresh: string, lifetimeSeconds: number) {
    const where = { purpose, subject }
    const isUseless = { [Op.or]: [{ tries: { [Op.gte]: MAX_TRIES } }, { sealed: '' }] }
    await this.#dropExpired()
    // The code may be used up, or another one requested, between two statements.
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      await this.#table.destroy({ where: { ...where, ...isUseless } })
      const row = this.#row(purpose, subject, fresh, lifetimeSeconds)
      if (await this.#insert(row)) return { code: fresh, isFresh: true }
      await this.#table.update({ expires_at: row.expires_at }, { where })
      const sealed = (await this.#table.findOne({ where }))?.get().sealed ?? ''
      if (sealed !== '') return { code: this.#deps.secrets.decrypt(sealed), isFresh: false }
    }
    throw new Error(`No code could be kept for ${purpose}`)
  }

  async consume(purpose: string, subject: string, code: string) {
    const where = { purpose, subject }
    // The try is counted before the code is checked, so that parallel guesses cannot share one try.
    const [counted] = await this.#table.update(
      { tries: literal('tries + 1') },
      {
        where: {
          ...where,
          tries: { [Op.lt]: MAX_TRIES },
          expires_at: { [Op.gt]: this.#seconds() },
        },
      },
    )
    if (counted === 0) return false
    const row = (await this.#table.findOne({ where }))?.get()
    const hash = this.#hashOf(purpose, subject, code)
    if (!row || !isSameSecret(hash, row.code_hash)) return false
    return (await this.#table.destroy({ where: { ...where, code_hash: hash } })) === 1
  }

  async spend(purpose: string, code: string, lifetimeSeconds: number) {
    await this.#dropExpired()
    const hash = this.#hashOf(purpose, '', code)
    const expires_at = this.#seconds() + lifetimeSeconds
    const row = { purpose, subject: hash, code_hash: hash, expires_at }
    return this.#insert({ ...row, tries: MAX_TRIES, sealed: '' })
  }

  get #table() {
    return oneTimeCodes(this.#deps.database)
  }

  #row(purpose: string, subject: string, code: string, lifetimeSeconds: number): OneTimeCodeRow {
    return {
      purpose,
      subject,
      code_hash: this.#hashOf(purpose, subject, code),
      expires_at: this.#seconds() + lifetimeSeconds,
      tries: code.length > LONGEST_GUESSED ? UNGUESSED : 0,
      sealed: this.#deps.secrets.encrypt(code),
    }
  }

  /** False if there is one already. */
  async #insert(row: OneTimeCodeRow): Promise<boolean> {
    try {
      await this.#table.create(row)
      return true
    } catch (error) {
      if (this.#deps.database.isUniqueViolation(error)) return false
      throw error
    }
  }

  async #dropExpired(): Promise<void> {
    await this.#table.destroy({ where: { expires_at: { [Op.lte]: this.#seconds() } } })
  }

  #hashOf(purpose: string, subject: string, code: string): string {
    return this.#deps.secrets.lookup('code', `${purpose}\n${subject}\n${code}`)
  }

  #seconds(): number {
    return Math.floor(this.#deps.now() / 1000)
  }
}
