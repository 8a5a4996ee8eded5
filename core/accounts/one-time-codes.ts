import { timingSafeEqual } from 'node:crypto'
import type { DatabaseService, SecretService } from '../contract/services.ts'
import type { OneTimeCodes } from '../contract/account-services.ts'

const MAX_TRIES = 5

type CodeRow = { code_hash: string; expires_at: number; tries: number }

export function createOneTimeCodes(deps: {
  database: DatabaseService
  secrets: SecretService
  now: () => number
}): OneTimeCodes {
  const { database, secrets } = deps
  const seconds = () => Math.floor(deps.now() / 1000)
  const hashOf = (purpose: string, subject: string, code: string) =>
    secrets.lookup('code', `${purpose}\n${subject}\n${code}`)

  return {
    async put(purpose, subject, code, lifetimeSeconds) {
      await database.run('DELETE FROM one_time_codes WHERE expires_at <= :now', { now: seconds() })
      await database.run(
        `INSERT INTO one_time_codes (purpose, subject, code_hash, expires_at, tries)
         VALUES (:purpose, :subject, :hash, :expiresAt, 0)
         ON CONFLICT (purpose, subject) DO UPDATE
         SET code_hash = excluded.code_hash, expires_at = excluded.expires_at, tries = 0`,
        {
          purpose,
          subject,
          hash: hashOf(purpose, subject, code),
          expiresAt: seconds() + lifetimeSeconds,
        },
      )
    },

    async consume(purpose, subject, code) {
      const where = 'purpose = :purpose AND subject = :subject'
      const key = { purpose, subject }
      // The try is counted before the answer is known: parallel guesses cannot share one try.
      const counted = await database.run(
        `UPDATE one_time_codes SET tries = tries + 1
         WHERE ${where} AND tries < :max AND expires_at > :now`,
        { ...key, max: MAX_TRIES, now: seconds() },
      )
      if (counted === 0) return false
      const [row] = await database.select<CodeRow>(
        `SELECT code_hash, expires_at, tries FROM one_time_codes WHERE ${where}`,
        key,
      )
      const hash = hashOf(purpose, subject, code)
      if (!row || !timingSafeEqual(Buffer.from(row.code_hash), Buffer.from(hash))) return false
      const removed = await database.run(
        `DELETE FROM one_time_codes WHERE ${where} AND code_hash = :hash`,
        { ...key, hash },
      )
      return removed === 1
    },
  }
}
