// The databases that a whole gateway is tested on, as environment variables.
import { createPostgres, hasPostgres } from './databases.ts'

export interface GatewayDatabase {
  env: Record<string, string>
  close: () => Promise<void>
}

export interface GatewayDatabaseKind {
  name: 'SQLite' | 'PostgreSQL'
  open: () => Promise<GatewayDatabase>
}

const sqlite: GatewayDatabaseKind = {
  name: 'SQLite',
  // The gateway's own default, in its data directory.
  open: () => Promise.resolve({ env: {}, close: () => Promise.resolve() }),
}

const postgres: GatewayDatabaseKind = {
  name: 'PostgreSQL',
  open: async () => {
    const database = await createPostgres()
    return { env: { DATABASE_URL: database.settings.url ?? '' }, close: () => database.close() }
  },
}

/** For `describe.each`. PostgreSQL is included where the data tests have it. */
export const gatewayDatabases: readonly GatewayDatabaseKind[] = hasPostgres
  ? [sqlite, postgres]
  : [sqlite]
