// The database and Redis, and what stands in the database.
import { resolve } from 'node:path'
import type { GatewaySettings } from '../../app/gateway-settings.ts'
import { optionTable } from '../../app/option-table.ts'
import { isRefusal, redisPlace, refusedBy } from '../../cluster/redis-place.ts'
import { reasonOf } from '../../app/terminal.ts'
import { role } from '../../contract/constants.ts'
import type { Database } from '../../data/database.ts'
import { requireCurrent } from '../../data/migrate.ts'
import { users } from '../../data/models/user.ts'
import { sentenceOf } from '../../kernel/plugin-fault.ts'
import { hasSecrets, openSecrets } from '../../secrets/check-master-key.ts'
import { hasKeyFile } from '../../secrets/master-key.ts'
import { openIfThere, whileOpen } from '../open-database.ts'
import { readPlugins } from '../plugins/plugin-shelf.ts'
import { secondsOfServer, versionOf } from './database-report.ts'
import { fault, type Finding, ok, warning } from './finding.ts'

const REDIS_TIMEOUT_MS = 3_000
/** Leases, sessions and codes of two nodes are compared in seconds. */
const MOST_DRIFT_SECONDS = 5

export async function checkStores(settings: GatewaySettings): Promise<Finding[]> {
  let database: Database | undefined
  try {
    database = await openIfThere()
  } catch (error) {
    return [fault('database', reasonOf(error))]
  }
  if (!database) return [ok('database', 'none yet: the first start makes it')]
  return whileOpen(database, () => checkDatabase(database, settings))
}

export async function checkRedis({ redisUrl }: GatewaySettings): Promise<Finding> {
  if (redisUrl === '') return ok('redis', 'none is set: limits count for each process')
  const client = (await redisPlace(redisUrl, '')).connect({
    lazyConnect: true,
    connectTimeout: REDIS_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  // The promise only says that the connection is closed, and nothing of a database that is not there.
  let cause: Error | undefined
  client.on('error', (error) => (cause = error))
  const failed: unknown = await client
    .connect()
    .then(() => client.ping())
    .then(
      () => undefined,
      (error: unknown) => cause ?? error,
    )
  client.disconnect()
  const reason = reasonOf(failed ?? cause)
  if (isRefusal(failed ?? cause)) return fault('redis', refusedBy(reason).message)
  if (failed === undefined) return ok('redis', 'it answers')
  return warning(
    'redis',
    `REDIS_URL: ${reason}; until it answers, PostgreSQL carries messages and limits count for each process`,
  )
}

async function checkDatabase(database: Database, settings: GatewaySettings): Promise<Finding[]> {
  const findings = [ok('database', await versionOf(database))]
  findings.push(await checkKey(database, settings))
  try {
    await requireCurrent(database)
  } catch (error) {
    return [...findings, warning('tables', reasonOf(error))]
  }
  return [
    ...findings,
    ...(await checkClock(database)),
    await checkSetup(database),
    await checkAddress(database),
    ...(await checkPlugins(database)),
  ]
}

async function checkKey(
  database: Database,
  { secretKey, dataDir }: GatewaySettings,
): Promise<Finding> {
  const path = resolve(dataDir)
  if (secretKey === '' && !hasKeyFile(path) && !(await hasSecrets(database)))
    return ok('secret key', 'none yet: the first start makes it')
  try {
    await openSecrets(database, { secretKey, dataDir: path })
    return ok('secret key', 'it opens the stored secrets')
  } catch (error) {
    return fault('secret key', reasonOf(error))
  }
}

/** The clock of an embedded database is this machine's. */
async function checkClock(database: Database): Promise<Finding[]> {
  if (database.dialect === 'sqlite') return []
  const drift = Math.round((await secondsOfServer(database)) - Date.now() / 1000)
  const text = `${Math.abs(drift)} s from that of the database server`
  return [
    Math.abs(drift) <= MOST_DRIFT_SECONDS
      ? ok('clock', text)
      : warning('clock', `${text}: set both by the same time server`),
  ]
}

async function checkSetup(database: Database): Promise<Finding> {
  const isSetUp = (await users(database).findOne({ where: { role: role.root } })) !== null
  return isSetUp
    ? ok('setup', 'there is a super admin')
    : warning('setup', 'there is no super admin yet: open the console, or run "tollgate import"')
}

async function checkAddress(database: Database): Promise<Finding> {
  const key = 'ServerAddress'
  const stored = (await optionTable(database).read()).find((row) => row.key === key)?.value ?? ''
  return stored === ''
    ? warning(
        key,
        'not set: payments, sign-in providers and passkeys need it (tollgate options set)',
      )
    : ok(key, stored)
}

async function checkPlugins(database: Database): Promise<Finding[]> {
  const { found, records } = await readPlugins(database)
  const faulty = found.all.flatMap(({ id, blame }) => {
    const cause = blame ?? records.causeOf(id)
    return cause ? [warning('plugin', `${id}: ${sentenceOf(cause, 'en')}`)] : []
  })
  return faulty.length > 0
    ? faulty
    : [ok('plugins', `${found.all.length} plugins and adapters, none with a fault`)]
}
