import type { ImportContext, ImportedRow } from '#core'
import type { CodeServices } from './codes.ts'
import { insertCode } from './codes-sql.ts'
import { codeStatus, MOST_UNITS } from './schema.ts'

/** Takes over the codes of another gateway that can still be redeemed, or could be once they are enabled. A used one has no entry in the ledger
 *  here that it would have to match. */
export async function importCodes(
  { database, secrets }: CodeServices,
  rows: AsyncIterable<ImportedRow>,
  { transaction, leaveOut }: ImportContext,
): Promise<number> {
  const hashes = new Set<string>()
  for await (const row of rows) {
    const code = row.text('key').trim()
    const hash = secrets.lookup('redemption', code)
    const quota = row.whole('quota')
    const reason =
      reasonToLeave(row, code, quota) ?? (hashes.has(hash) ? 'they are there twice' : undefined)
    if (reason !== undefined) {
      leaveOut(reason)
      continue
    }
    hashes.add(hash)
    const status = row.whole('status')
    await insertCode(
      database,
      {
        userId: row.whole('user_id'),
        name: row.text('name'),
        key: secrets.encrypt(code),
        hash,
        quota,
        now: row.whole('created_time'),
        expiredTime: row.whole('expired_time'),
        status: status === codeStatus.unused ? codeStatus.unused : codeStatus.disabled,
      },
      transaction,
    )
  }
  return hashes.size
}

function reasonToLeave(row: ImportedRow, code: string, quota: number): string | undefined {
  if (row.text('deleted_at') !== '') return 'they were deleted'
  if (row.whole('status') === codeStatus.used) return 'they were used'
  if (code === '') return 'they have no code'
  return quota > 0 && quota <= MOST_UNITS ? undefined : 'their amount is not in range'
}
