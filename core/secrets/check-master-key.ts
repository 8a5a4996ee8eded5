import { createHash } from 'node:crypto'
import { Op } from 'sequelize'
import type { DatabaseService, SecretService } from '../contract/services.ts'
import { hasTable } from '../data/migrate.ts'
import { channelModel } from '../data/models/channel.ts'
import { masterKeys } from '../data/models/master-key.ts'
import { tokens } from '../data/models/token.ts'

/** Of the one row. */
const id = 1

interface Stores {
  database: DatabaseService
  secrets: SecretService
}

interface KeySource {
  secretKey: string
  dataDir: string
}

/** A start with another master key would find no secret readable and write new ones that the right key cannot read. Nor may two nodes
 *  begin with a key each: to one of them the sessions and tokens of the other are wrong.
 *  @throws Error with a sentence for the operator */
export async function checkMasterKey(stores: Stores, source: KeySource): Promise<void> {
  if (await isKnownKey(stores, source)) return
  if (!(await isOurs(stores))) throw wrongKey(source)
}

/** The same before the first migration, by what is there: who has the wrong key shall not bring the database of others up to date.
 *  @throws Error with a sentence for the operator */
export async function refuseWrongKey(stores: Stores, source: KeySource): Promise<void> {
  await isKnownKey(stores, source)
}

/** Of the installation, which is its database: another for each that was started anew, the same in a copy. Empty before the first start. */
export async function installationOf(database: DatabaseService): Promise<string> {
  const sealed = (await masterKeys(database).findByPk(id))?.get().sealed
  return sealed === undefined ? '' : createHash('sha256').update(sealed).digest('hex').slice(0, 16)
}

/** False where nothing tells.
 *  @throws Error with a sentence for the operator */
async function isKnownKey({ database, secrets }: Stores, source: KeySource): Promise<boolean> {
  const has = (table: string) => hasTable(database, table)
  const known = (await has('master_key')) ? await masterKeys(database).findByPk(id) : null
  if (known && !isReadable(secrets, known.get().sealed)) throw wrongKey(source)
  if (known) return true
  // A database of before the mark. One stored secret of each kind, the newest: where the first kind has none, the second may.
  const old =
    ((await has('channels')) ? await newestChannelKey(database) : undefined) ??
    ((await has('tokens')) ? await newestTokenKey(database) : undefined)
  if (old !== undefined && !isReadable(secrets, old)) throw wrongKey(source)
  return false
}

function wrongKey({ secretKey, dataDir }: KeySource): Error {
  return new Error(
    secretKey === ''
      ? `the key in ${dataDir}/secret.key is not the one that wrote the stored secrets; restore that file, or set the SECRET_KEY that was set before or that other nodes of this database have`
      : 'SECRET_KEY is not the one that wrote the stored secrets; set the one from before, or none if none was set',
  )
}

/** Leaves the mark, unless a node that starts at the same moment was quicker. */
async function isOurs({ database, secrets }: Stores): Promise<boolean> {
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
