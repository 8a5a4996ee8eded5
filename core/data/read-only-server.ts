import type { Client } from 'pg'
import { hasCause } from './database-errors.ts'

/** SQLSTATE read_only_sql_transaction (PostgreSQL, appendix A). */
export const READ_ONLY = '25006'

export function isReadOnly(error: unknown): boolean {
  return hasCause(error, ({ code }) => code === READ_ONLY)
}

/**
 * After a failover an address may lead to a server that only reads for a while, and a connection to it would stay there for ever: it is cut after the first
 * statement that is refused for it, so that the next one finds the server that writes.
 */
export function leaveReadOnly(client: Client): Client {
  client.connection.on('errorMessage', ({ code }: { code?: string }) => {
    if (code !== READ_ONLY) return
    // Whoever asked is told first.
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
