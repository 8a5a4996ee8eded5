import { timingSafeEqual } from 'node:crypto'
import { literal, Op } from 'sequelize'
import type { DatabaseService, SecretService } from '../contract/services.ts'
import type { OneTimeCodes } from '../contract/account-services.ts'
import { oneTimeCodes } from '../data/models/one-time-code.ts'

/** Of a short code. Whoever guesses is stopped by `guesses` long before, each network by itself; a lower bound here would let two or
 *  three of them use up the code of somebody else. A hundred tries find one of a million codes once in ten thousand. */
const MAX_TRIES = 100
/** Longer ones cannot be guessed, so tries do them no harm. */
const LONGEST_GUESSED = 12
/** From here on tries never reach their bound. */
const UNGUESSED = -1_000_000_000

export function createOneTimeCodes(deps: {
  database: DatabaseService
  secrets: SecretService
  now: () => number
}): OneTimeCodes {
  const { database, secrets } = deps
  const seconds = () => Math.floor(deps.now() / 1000)
  const dropExpired = () =>
    oneTimeCodes(database).destroy({ where: { expires_at: { [Op.lte]: seconds() } } })
  const hashOf = (purpose: string, subject: string, code: string) =>
    secrets.lookup('code', `${purpose}\n${subject}\n${code}`)

  return {
    async put(purpose, subject, code, lifetimeSeconds) {
      const codes = oneTimeCodes(database)
      await dropExpired()
      await codes.upsert({
        purpose,
        subject,
        code_hash: hashOf(purpose, subject, code),
        expires_at: seconds() + lifetimeSeconds,
        tries: code.length > LONGEST_GUESSED ? UNGUESSED : 0,
      })
    },

    async consume(purpose, subject, code) {
      const codes = oneTimeCodes(database)
      const where = { purpose, subject }
      // The try is counted before the answer is known: parallel guesses cannot share one try.
      const [counted] = await codes.update(
        { tries: literal('tries + 1') },
        { where: { ...where, tries: { [Op.lt]: MAX_TRIES }, expires_at: { [Op.gt]: seconds() } } },
      )
      if (counted === 0) return false
      const row = (await codes.findOne({ where }))?.get()
      const hash = hashOf(purpose, subject, code)
      if (!row || !timingSafeEqual(Buffer.from(row.code_hash), Buffer.from(hash))) return false
      return (await codes.destroy({ where: { ...where, code_hash: hash } })) === 1
    },

    async spend(purpose, code, lifetimeSeconds) {
      await dropExpired()
      const hash = hashOf(purpose, '', code)
      try {
        await oneTimeCodes(database).create({
          purpose,
          subject: hash,
          code_hash: hash,
          expires_at: seconds() + lifetimeSeconds,
          tries: MAX_TRIES,
        })
        return true
      } catch (error) {
        if (database.isUniqueViolation(error)) return false
        throw error
      }
    },
  }
}
