// What the operator is told of a database that cannot be opened.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createEmptyPostgres, hasPostgres, quietLog } from '../../test/harness/databases.ts'
import { openDatabase } from './database.ts'
import { unusableBecause } from './postgres/usable-server.ts'

const named = /^DATABASE_URL names a PostgreSQL that cannot be used: /

describe('a database that cannot be opened', () => {
  it.each([
    ['a folder of sockets in the host', 'postgres://me@%2Fnot%2Fhere:1/base', /not\/here/],
    ['a folder of sockets in the query', 'postgres://me@/base?host=/not/here&port=1', /not\/here/],
    [
      'a certificate that is not there',
      'postgres://me@127.0.0.1:1/base?sslrootcert=/none.pem',
      /none.pem/,
    ],
    ['a port that nobody has', 'postgres://me@127.0.0.1:99999/base', named],
  ])('is told with its variable: %s', async (_, url, words) => {
    const opening = openDatabase({ url, dataDir: tmpdir(), log: quietLog })
    await expect(opening).rejects.toThrow(named)
    await expect(opening).rejects.toThrow(words)
  })

  it.runIf(hasPostgres).each(['LATIN1', 'SQL_ASCII'])(
    'is told with its encoding %s, in which texts are refused or cut',
    async (encoding) => {
      const { url, close } = await createEmptyPostgres(
        `TEMPLATE template0 ENCODING '${encoding}' LOCALE 'C'`,
      )
      const opening = openDatabase({ url, dataDir: tmpdir(), log: quietLog })
      await expect(opening).rejects.toThrow(named)
      await expect(opening).rejects.toThrow(`its encoding is ${encoding}`)
      await close()
    },
  )

  it.each(['9.6.24', '10.23', '12.22 (Debian 12.22-1)'])(
    'is told with its version %s, which lacks statements',
    (version) => {
      expect(unusableBecause({ version, encoding: 'UTF8' })).toBe(
        `it is PostgreSQL ${version}; Tollgate needs PostgreSQL 13 or newer`,
      )
    },
  )

  it.each(['13.23', '18.4 (Ubuntu 18.4-1)', '19beta1'])('is used with version %s', (version) => {
    expect(unusableBecause({ version, encoding: 'UTF8' })).toBeUndefined()
  })

  it.each(['sqlite3', 'node:sqlite'] as const)('is told with its file on %s', async (driver) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'no-database-'))
    await writeFile(join(dataDir, 'tollgate.db'), 'no database at all, '.repeat(400))
    const opening = openDatabase({ dataDir, log: quietLog, sqliteDriver: driver })
    await expect(opening).rejects.toThrow(`${dataDir}/tollgate.db in DATA_DIR cannot be used`)
    await rm(dataDir, { recursive: true })
  })
})
