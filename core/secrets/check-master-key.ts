import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { Op } from 'sequelize'
import type { DatabaseService, SecretService } from '../contract/services.ts'
import { hasTable } from '../data/migrate.ts'
import { channelModel } from '../data/models/channel.ts'
import { masterKeys } from '../data/models/master-key.ts'
import { tokens } from '../data/models/token.ts'
import { hasKeyFile, keyFileOf, keyOfDigits, loadMasterKey } from './master-key.ts'
import { createSecrets } from './secrets.ts'

/** The table has one row. */
const id = 1

interface Stores {
  database: DatabaseService
  secrets: SecretService
}

interface KeySource {
  secretKey: string
  dataDir: string
  /** Whether this start has made the key file. */
  isNew?: boolean
}

/** Opens the secrets of a database before its first migration, as far as the existing data tells the key: a process with the
 *  wrong key must not migrate it.
 *  @throws Error with a sentence for the operator */
export async function openSecrets(
  database: DatabaseService,
  source: KeySource,
): Promise<SecretService> {
  const stored = await storedSecret(database)
  // A new key would open nothing, and stand in the place where the right one has to be restored.
  if (stored !== undefined && source.secretKey === '' && !hasKeyFile(source.dataDir))
    throw missingKey(source)
  const secrets = createSecrets(await loadMasterKey(source))
  if (stored === undefined || isReadable(secrets, stored)) return secrets
  const digits = keyOfDigits(source.secretKey)
  const ofDigits = digits && createSecrets(digits)
  if (ofDigits && isReadable(ofDigits, stored)) return ofDigits
  throw wrongKey(source)
}

/** Compares the master key with the one that the database was encrypted with. With another key, no stored secret could
 *  be read, and new ones would be unreadable with the right key. Two nodes must not start with different keys either:
 *  each would refuse the sessions and tokens of the other.
 *  @throws Error with a sentence for the operator */
export async function checkMasterKey(stores: Stores, source: KeySource): Promise<void> {
  const { database, secrets } = stores
  const stored = await storedSecret(database)
  const isRight = stored === undefined || isReadable(secrets, stored)
  if (isRight && (await isOurs(stores))) return
  if (!source.isNew) throw wrongKey(source)
  // Another node was first: the file opens nothing, and stands in the place of the right one.
  await rm(keyFileOf(source.dataDir), { force: true })
  throw laterKey(source)
}

/** The id of the installation, which is its database: a new one for each new database, the same in a copy. Empty before
 *  the first start. */
export async function installationOf(database: DatabaseService): Promise<string> {
  const sealed = (await masterKeys(database).findByPk(id))?.get().sealed
  return sealed === undefined ? '' : createHash('sha256').update(sealed).digest('hex').slice(0, 16)
}

/** Whether a key other than a new one is needed to read the database. */
export async function hasSecrets(database: DatabaseService): Promise<boolean> {
  return (await storedSecret(database)) !== undefined
}

/** Something that was sealed with the master key; undefined if the database holds nothing yet. */
async function storedSecret(database: DatabaseService): Promise<string | undefined> {
  const has = (table: string) => hasTable(database, table)
  const mark = (await has('master_key')) ? await masterKeys(database).findByPk(id) : null
  if (mark) return mark.get().sealed
  // A database from before the mark. The newest stored secret of each kind is tried, since not every database has the
  // first kind.
  return (
    ((await has('channels')) ? await newestChannelKey(database) : undefined) ??
    ((await has('tokens')) ? await newestTokenKey(database) : undefined)
  )
}

function missingKey({ dataDir }: KeySource): Error {
  return new Error(
    `there is no ${keyFileOf(dataDir)}, and no SECRET_KEY: restore the file, or set what other nodes of this database have`,
  )
}

function laterKey({ dataDir }: KeySource): Error {
  return new Error(
    `another node of this database has started first, with a key of its own; set one SECRET_KEY on all nodes (what secret.key of the first node holds), or copy that file to ${keyFileOf(dataDir)}, then start again`,
  )
}

function wrongKey({ secretKey, dataDir }: KeySource): Error {
  return new Error(
    secretKey === ''
      ? `the key in ${dataDir}/secret.key is not the one that wrote the stored secrets; restore that file, or set the SECRET_KEY that was set before or that other nodes of this database have`
      : 'SECRET_KEY is not the one that wrote the stored secrets; set the one from before or, if none was set, what secret.key of the first node holds',
  )
}

/** Stores the mark unless there is one.
 *  @returns whether the stored mark can be read with this key */
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
