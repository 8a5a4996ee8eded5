import { Op } from 'sequelize'
import type { DatabaseService, SecretService } from '../contract/services.ts'
import { channelModel } from '../data/models/channel.ts'
import { tokens } from '../data/models/token.ts'

/** A start with another master key would find no secret readable and write new ones that the right key cannot read.
 *  @throws Error with a sentence for the operator */
export async function checkMasterKey(
  { database, secrets }: { database: DatabaseService; secrets: SecretService },
  { secretKey, dataDir }: { secretKey: string; dataDir: string },
): Promise<void> {
  // One stored secret of each kind, the newest: where the first kind has none, the second may.
  for (const newest of [newestChannelKey, newestTokenKey]) {
    const sealed = await newest(database)
    if (sealed === undefined) continue
    if (isReadable(secrets, sealed)) return
    throw new Error(
      secretKey === ''
        ? `the key in ${dataDir}/secret.key is not the one that wrote the stored secrets; restore that file, or set SECRET_KEY if it was set before`
        : 'SECRET_KEY is not the one that wrote the stored secrets; set the one from before, or none if none was set',
    )
  }
}

const sealed = {
  where: { key: { [Op.ne]: '' } },
  attributes: ['key'],
  order: [['id', 'DESC'] as [string, string]],
}

async function newestChannelKey(database: DatabaseService): Promise<string | undefined> {
  return (await channelModel(database).findOne(sealed))?.get().key
}

async function newestTokenKey(database: DatabaseService): Promise<string | undefined> {
  return (await tokens(database).findOne(sealed))?.get().key
}

function isReadable(secrets: SecretService, sealed: string): boolean {
  try {
    secrets.decrypt(sealed)
    return true
  } catch {
    return false
  }
}
