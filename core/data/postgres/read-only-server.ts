import type { Client } from 'pg'
import { hasCause } from '../database-errors.ts'

/** SQLSTATE read_only_sql_transaction (PostgreSQL, appendix A). */
export const READ_ONLY = '25006'

export function isReadOnly(error: unknown): boolean {
  return hasCause(error, ({ code }) => code === READ_ONLY)
}

/** After a failover, an address may lead to a read-only server for a while, and a connection to it would never leave it.
 *  The connection is closed after the first statement that is refused for this reason, so that the next connection
 *  finds the server that writes. */
export function leaveReadOnly(client: Client): Client {
  client.connection.on('errorMessage', ({ code }: { code?: string }) => {
    if (code !== READ_ONLY) return
    // Whoever sent the statement gets its error first.
    process.nextTick(() => client.connection.stream.destroy(new ReadOnlyError()))
  })
  return client
}

class ReadOnlyError extends Error {
  readonly code = READ_ONLY

  constructor() {
    super('PostgreSQL only reads: the connection was closed')
  }
}
