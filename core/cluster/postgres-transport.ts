import type { Logger } from '../contract/services.ts'
import { PostgresSession, type SessionDatabase } from './postgres-session.ts'
import { notify } from './session-sql.ts'
import type { Transport, TransportListener } from './transport.ts'

const channel = 'tollgate_cluster'

/** LISTEN and NOTIFY on one connection; a NOTIFY holds less than 8000 bytes (PostgreSQL manual, NOTIFY). */
export async function connectPostgres(
  database: SessionDatabase,
  listener: TransportListener,
  log: Logger,
): Promise<Transport> {
  const session = new PostgresSession(database, 'tollgate cluster', log, {
    onOpen: async (client) => {
      await client.query(`LISTEN ${channel}`)
    },
    // A publisher finds out by itself; see `send`.
    onLost: () => undefined,
    onRegained: () => {
      listener.onGap()
      listener.onSendable()
    },
    onNotification: (text) => listener.onText(text),
  })
  await session.open()
  return {
    send: async (text) => {
      await session.query(notify, [channel, text])
    },
    close: () => session.close(),
  }
}
