// Customers by the thousand, each with a key: made by statements, for a password takes the gateway a tenth of a second.
import { randomBytes } from 'node:crypto'
import { openDatabase } from '../../core/data/database.ts'
import { manyRowsFrom } from '../../core/data/named-values.ts'
import { createSecrets, loadMasterKey } from '../../core/secrets/secrets.ts'
import { quietLog } from '../harness/quiet-log.ts'

const QUOTA = 1_000_000_000
const MADE_AT = 1_750_000_000

/** Beside a gateway that runs, of which one token is known. @returns their keys, `sk-` included */
export async function addManyCustomers(
  count: number,
  { dataDir, url }: { dataDir: string; url: string | undefined },
): Promise<string[]> {
  const secrets = createSecrets(await loadMasterKey({ secretKey: undefined, dataDir }))
  const keys = Array.from({ length: count }, () => randomBytes(24).toString('hex'))
  const rows = keys.map((key, n) => ({ n, hash: secrets.lookup('token', key) }))
  const database = await openDatabase({ url, dataDir, log: quietLog })
  try {
    const columns = { n: 'bigint', hash: 'text' } as const
    const { from, values } = manyRowsFrom(database.dialect, 'made', columns, rows)
    await database.run(
      `INSERT INTO users (username, display_name, quota, created_at)
       SELECT 'many-' || n, 'Many ' || n, ${QUOTA}, ${MADE_AT} FROM ${from}`,
      values,
    )
    await database.run(
      `INSERT INTO ledger_entries (user_id, kind, ref, amount, balance, created_at)
       SELECT id, 'gift', 'many:' || id, quota, quota, ${MADE_AT} FROM users WHERE username LIKE 'many-%'`,
    )
    await database.run(
      `INSERT INTO tokens (user_id, "key", key_hash, name, created_time, accessed_time, unlimited_quota)
       SELECT users.id, sealed."key", made.hash, 'work', ${MADE_AT}, ${MADE_AT}, TRUE
       FROM ${from} JOIN users ON users.username = 'many-' || made.n
       CROSS JOIN (SELECT "key" FROM tokens ORDER BY id LIMIT 1) AS sealed`,
      values,
    )
  } finally {
    await database.close()
  }
  return keys.map((key) => `sk-${key}`)
}
