import pg, { types } from 'pg'
import { QueryTypes, Sequelize, type Transaction } from 'sequelize'
import { boundSession, briefSession, ownBackend } from './bounded-session-sql.ts'
import { ConnectionRoom } from './connection-room.ts'
import { byStatements, type Database, type DatabaseSettings, databaseService } from '../database.ts'
import { type ClientConnection, refusePooler } from './pooler.ts'
import { PostgresBatch } from './batch.ts'
import { leaveReadOnly } from './read-only-server.ts'
import { SilenceWatch } from './silence-watch.ts'
import { slicesBy } from '../slices.ts'
import { refuseUnusable } from './usable-server.ts'
import { errorText } from '../../kernel/error-text.ts'

/** Connections for calls that need a lease. They are separate, so that lists of the console cannot take all connections. */
const BRIEF_CONNECTIONS = 2

const CONNECTIONS = 10
/** How long a query waits for a connection while all are in use. */
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
    const reason = errorText(cause)
    throw new Error(`DATABASE_URL names a PostgreSQL that cannot be used: ${reason}`, { cause })
  })
  const giveWay = async () => {
    for (const room of rooms) await room.giveWay()
  }
  const batch = new PostgresBatch({ url, watch, giveWay, log })
  const isSilent = () => watch.silence
  const service = databaseService(sequelize, 'postgres', isSilent)
  const leases = databaseService(briefly, 'postgres', isSilent)
  return {
    ...service,
    driver: 'pg',
    batch: (statements, call) => batch.run(statements, call),
    onBatchSession: (statements, afterFailover) => batch.onSession(statements, afterFailover),
    brief: (work) => byStatements(leases, work),
    // Other connections can write in the meantime.
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

/** @throws the driver's error about the address, a file that it names, or the server */
async function connectBoth(url: string, watch: SilenceWatch) {
  const sequelize = connect(url, watch, { max: CONNECTIONS, name: 'tollgate' })
  const lists = new ConnectionRoom(sequelize, { most: CONNECTIONS, waitMs: WAIT_LIMIT_MS })
  // One is always kept open, because another client could take the place of a closed one.
  const kept = { max: BRIEF_CONNECTIONS, min: 1 }
  const briefly = connect(url, watch, { ...kept, name: 'tollgate leases' })
  briefly.addHook('afterConnect', async (connection) => {
    await (connection as pg.Client).query(briefSession)
  })
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

/** A connection of the pool, as `refusePooler` tests it. */
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
  // The URL is parsed by pg, as for all other connections. Sequelize would read a socket's folder in the host (%2F…) as 127.0.0.1.
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

/** Sequelize creates its connections with `new`, and passes on only those parts of the URL that it knows. */
function clientOf(url: string, watch: SilenceWatch) {
  return function WatchedClient(config: pg.ClientConfig): pg.Client {
    const client = new pg.Client({ ...config, connectionString: url })
    // Sequelize adds its listener a moment after the connection is open. A server that restarts may close it before, and
    // an error event without a listener ends the process. The next query on the connection fails anyway.
    client.on('error', () => undefined)
    return leaveReadOnly(watch.watch(client))
  }
}

/** pg returns 64-bit integers as text, because a double holds only 53 bits. */
function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is outside of 2^53`)
  return value
}
