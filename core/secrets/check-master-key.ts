import { Op } from 'sequelize'
import type { DatabaseService, SecretService } from '../contract/services.ts'
import { channelModel } from '../data/models/channel.ts'
import { masterKeys } from '../data/models/master-key.ts'
import { tokens } from '../data/models/token.ts'

/** Of the one row. */
const id = 1

/** A start with another master key would find no secret readable and write new ones that the right key cannot read. Nor may two nodes
 *  begin with a key each: to one of them the sessions and tokens of the other are wrong.
 *  @throws Error with a sentence for the operator */
export async function checkMasterKey(
  { database, secrets }: { database: DatabaseService; secrets: SecretService },
  { secretKey, dataDir }: { secretKey: string; dataDir: string },
): Promise<void> {
  const wrong = () =>
    new Error(
      secretKey === ''
        ? `the key in ${dataDir}/secret.key is not the one that wrote the stored secrets; restore that file, or set the SECRET_KEY that was set before or that other nodes of this database have`
        : 'SECRET_KEY is not the one that wrote the stored secrets; set the one from before, or none if none was set',
    )
  const known = await masterKeys(database).findByPk(id)
  if (known) {
    if (isReadable(secrets, known.get().sealed)) return
    throw wrong()
  }
  // A database of before the mark. One stored secret of each kind, the newest: where the first kind has none, the second may.
  const old = (await newestChannelKey(database)) ?? (await newestTokenKey(database))
  if (old !== undefined && !isReadable(secrets, old)) throw wrong()
  if (!(await isOurs({ database, secrets }))) throw wrong()
}

/** Leaves the mark, unless a node that starts at the same moment was quicker. */
async function isOurs({
  database,
  secrets,
}: {
  database: DatabaseService
  secrets: SecretService
}): Promise<boolean> {
  const model = masterKeys(database)
  const row = { id, sealed: secrets.encrypt('master key') }
  await model.bulkCreate([row], { ignoreDuplicates: true })
  return isReadable(secrets, (await model.findByPk(id))?.get().sealed ?? '')
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
