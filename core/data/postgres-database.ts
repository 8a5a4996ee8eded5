import pg, { types } from 'pg'
import { QueryTypes, Sequelize, type Transaction } from 'sequelize'
import { boundSession, ownBackend } from './bounded-session-sql.ts'
import { ConnectionRoom } from './connection-room.ts'
import { byStatements, type Database, type DatabaseSettings, databaseService } from './database.ts'
import { type ClientConnection, refusePooler } from './pooler.ts'
import { PostgresBatch } from './postgres-batch.ts'
import { leaveReadOnly } from './read-only-server.ts'
import { SilenceWatch } from './silence-watch.ts'
import { slicesBy } from './slices.ts'
import { refuseUnusable } from './usable-server.ts'

/** Of calls that wait for money: the lists of the console must not keep them waiting. */
const BRIEF_CONNECTIONS = 2

const CONNECTIONS = 10
/** For a connection, where all are in use. */
const WAIT_LIMIT_MS = 30_000

/** A network that drops packets refuses nothing. */
const CONNECT_LIMIT_MS = 5_000

export async function openPostgres({
  url = '',
  log,
  silenceLookMs,
}: DatabaseSettings): Promise<Database> {
  types.setTypeParser(types.builtins.INT8, parseInt8)
  const watch = new SilenceWatch(url, log, silenceLookMs)
  const { sequelize, briefly, rooms } = await connectBoth(url, watch).catch((cause: unknown) => {
    watch.close()
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`DATABASE_URL names a PostgreSQL that cannot be used: ${reason}`, { cause })
  })
  const giveWay = async () => {
    for (const room of rooms) await room.giveWay()
  }
  const batch = new PostgresBatch(url, watch, giveWay)
  const isSilent = () => watch.silence
  const service = databaseService(sequelize, 'postgres', isSilent)
  const leases = databaseService(briefly, 'postgres', isSilent)
  return {
    ...service,
    driver: 'pg',
    batch: (statements, call) => batch.run(statements, call),
    onBatchSession: (statements) => batch.onSession(statements),
    brief: (work) => byStatements(leases, work),
    // Its other connections write meanwhile.
    slices: slicesBy({
      transaction: (work) => byStatements(service, work),
      isAwaited: () => false,
    }),
    claim: () => Promise.resolve(() => Promise.resolve()),
    giveWay,
    close: async () => {
      for (const room of rooms) room.close()
      await Promise.all([batch.close(), briefly.close(), sequelize.close()])
      watch.close()
    },
  }
}

/** @throws what the driver says of an address, of a file that it names, or of the server */
async function connectBoth(url: string, watch: SilenceWatch) {
  const sequelize = connect(url, watch, { max: CONNECTIONS, name: 'tollgate' })
  const lists = new ConnectionRoom(sequelize, { most: CONNECTIONS, waitMs: WAIT_LIMIT_MS })
  // One is kept open: others could take the place of one that is closed.
  const kept = { max: BRIEF_CONNECTIONS, min: 1 }
  const briefly = connect(url, watch, { ...kept, name: 'tollgate leases' })
  const leases = new ConnectionRoom(briefly, {
    most: BRIEF_CONNECTIONS,
    waitMs: WAIT_LIMIT_MS,
    ask: () => lists.giveWay(),
  })
  const rooms = [lists, leases]
  try {
    await sequelize.authenticate()
    await refuseUnusable(sequelize)
    await refusePooler(connectionOf(sequelize), connectionOf(briefly))
  } catch (error) {
    for (const room of rooms) room.close()
    await Promise.all([sequelize.close(), briefly.close()])
    throw error
  }
  return { sequelize, briefly, rooms }
}

/** One of those that are open. */
function connectionOf(sequelize: Sequelize): ClientConnection {
  const backend = async (transaction?: Transaction) => {
    const options = { type: QueryTypes.SELECT, ...(transaction ? { transaction } : {}) } as const
    const [row] = await sequelize.query<{ pid: number }>(ownBackend, options)
    return Number(row?.pid)
  }
  return {
    backend: () => backend(),
    holding: (work) =>
      sequelize.transaction(async (transaction) => work(await backend(transaction))),
  }
}

function connect(
  url: string,
  watch: SilenceWatch,
  { max, min = 0, name }: { max: number; min?: number; name: string },
): Sequelize {
  // As pg reads it, like all other connections: Sequelize would take a socket's folder that stands as %2F… in the host for 127.0.0.1.
  const { host, port, user, password, database, ssl } = new pg.Client({ connectionString: url })
  const sequelize = new Sequelize({
    host,
    port,
    ...(user === undefined ? {} : { username: user }),
    ...(typeof password === 'string' ? { password } : {}),
    ...(database === undefined ? {} : { database }),
    dialect: 'postgres',
    dialectModule: { ...pg, Client: clientOf(url, watch) },
    logging: false,
    pool: { max, min, idle: 10_000, acquire: WAIT_LIMIT_MS },
    dialectOptions: {
      application_name: name,
      ssl,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_LIMIT_MS,
    },
  })
  sequelize.addHook('afterConnect', async (connection) => {
    await (connection as pg.Client).query(boundSession)
  })
  return sequelize
}

/** Sequelize makes its connections itself, by `new`, and passes on no more than it knows of what an address may say. */
function clientOf(url: string, watch: SilenceWatch) {
  return function WatchedClient(config: pg.ClientConfig): pg.Client {
    const client = new pg.Client({ ...config, connectionString: url })
    // Sequelize listens a moment after the connection is there. A server that is being restarted may end it before, and an error that
    // nobody hears ends the process. Whatever is asked on it next fails.
    client.on('error', () => undefined)
    return leaveReadOnly(watch.watch(client))
  }
}

/** pg gives 64-bit integers as text, because a double holds 53 bits of them. */
function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is outside of 2^53`)
  return value
}
