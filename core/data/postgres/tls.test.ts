import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmptyPostgres, hasPostgres, quietLog } from '../../../test/harness/databases.ts'
import { ownCertificate } from '../../../test/harness/own-certificate.ts'
import { openDatabase } from '../database.ts'

describe.runIf(hasPostgres)('PostgreSQL through TLS', () => {
  let server: Awaited<ReturnType<typeof createEmptyPostgres>>
  beforeAll(async () => {
    server = await createEmptyPostgres()
  })
  afterAll(() => server.close())

  const open = (query: string) =>
    openDatabase({ url: `${server.url}?${query}`, dataDir: tmpdir(), log: quietLog })

  it.each(['sslmode=no-verify', `sslmode=verify-full&sslrootcert=${ownCertificate.file}`])(
    'encrypts every connection with %s',
    async (query) => {
      const database = await open(query)
      try {
        const isSecure = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'
        expect(await database.select(isSecure)).toEqual([{ ssl: true }])
        expect(await database.brief(({ select }) => select(isSecure))).toEqual([{ ssl: true }])
        const refusal = `DO $$ BEGIN IF NOT (${isSecure}) THEN RAISE 'open'; END IF; END $$`
        await database.batch([{ sql: refusal }])
      } finally {
        await database.close()
      }
    },
  )

  it('refuses a server whose certificate nobody has signed, and says so', async () => {
    await expect(open('sslmode=verify-full')).rejects.toThrow(
      /^DATABASE_URL names a PostgreSQL that cannot be used: self-signed certificate/,
    )
  })
})
