import type { DatabaseService, SecretService } from '../contract/services.ts'

/** One stored secret of each kind, the newest: where the first kind has none, the second may. */
const samples = [
  `SELECT "key" AS sealed FROM channels WHERE "key" <> '' ORDER BY id DESC LIMIT 1`,
  `SELECT "key" AS sealed FROM tokens WHERE "key" <> '' ORDER BY id DESC LIMIT 1`,
]

/** A start with another master key would find no secret readable and write new ones that the right key cannot read.
 *  @throws Error with a sentence for the operator */
export async function checkMasterKey(
  { database, secrets }: { database: DatabaseService; secrets: SecretService },
  { secretKey, dataDir }: { secretKey: string; dataDir: string },
): Promise<void> {
  for (const sql of samples) {
    const [row] = await database.select<{ sealed: string }>(sql)
    if (row === undefined) continue
    if (isReadable(secrets, row.sealed)) return
    throw new Error(
      secretKey === ''
        ? `the key in ${dataDir}/secret.key is not the one that wrote the stored secrets; restore that file, or set SECRET_KEY if it was set before`
        : 'SECRET_KEY is not the one that wrote the stored secrets; set the one from before, or none if none was set',
    )
  }
}

function isReadable(secrets: SecretService, sealed: string): boolean {
  try {
    secrets.decrypt(sealed)
    return true
  } catch {
    return false
  }
}
