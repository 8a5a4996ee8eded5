import type { Client } from 'pg'

/** SQLSTATE read_only_sql_transaction (PostgreSQL, appendix A). */
export const READ_ONLY = '25006'

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
