import { QueryTypes, type Sequelize } from 'sequelize'

/** The oldest version with which the database tests were run. PostgreSQL 11 lacks `WITH … AS MATERIALIZED`, which the pages of the log use. */
const OLDEST_VERSION = 13

export interface PostgresServer {
  /** The server's own text, for example `15.8 (Debian 15.8-0+deb12u1)`. */
  version: string
  encoding: string
}

/** @throws Error for the operator, if the server is too old or its encoding cannot hold every text */
export async function refuseUnusable(sequelize: Sequelize): Promise<void> {
  const [server] = await sequelize.query<PostgresServer>(
    `SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding`,
    { type: QueryTypes.SELECT },
  )
  const reason = server && unusableBecause(server)
  if (reason) throw new Error(reason)
}

/** A database in LATIN1 refuses each name and text that it cannot express, and one in SQL_ASCII counts and cuts texts by bytes.
 *  initdb and createdb choose them where the server's locale is C or POSIX. */
export function unusableBecause({ version, encoding }: PostgresServer): string | undefined {
  if (Number.parseInt(version, 10) < OLDEST_VERSION)
    return `it is PostgreSQL ${version}; Tollgate needs PostgreSQL ${OLDEST_VERSION} or newer`
  if (encoding === 'UTF8') return undefined
  return `its encoding is ${encoding}, which cannot hold every text; make a database with ENCODING 'UTF8' TEMPLATE template0, and move what is there by pg_dump`
}
