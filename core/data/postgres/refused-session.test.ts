import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEmptyPostgres, hasPostgres } from '../../../test/harness/databases.ts'
import { quietLog } from '../../../test/harness/quiet-log.ts'
import { type Database, openDatabase } from '../database.ts'

describe.runIf(hasPostgres)('a PostgreSQL that lets a role in no more', () => {
  const role = `barred_${randomUUID().replaceAll('-', '')}`
  let empty: Awaited<ReturnType<typeof createEmptyPostgres>>
  let admin: Database
  let database: Database

  beforeEach(async () => {
    empty = await createEmptyPostgres()
    admin = await openDatabase({ url: empty.url, dataDir: tmpdir(), log: quietLog })
    await admin.run(`CREATE ROLE ${role} LOGIN`)
    const url = new URL(empty.url)
    url.username = role
    database = await openDatabase({ url: url.href, dataDir: tmpdir(), log: quietLog })
  })

  afterEach(async () => {
    await database.close()
    await admin.run(`DROP ROLE ${role}`)
    await admin.close()
    await empty.close()
  })

  it('is no reason to give up a batch, which is written when it is let in again', async () => {
    const batch = () => database.batch([{ sql: 'SELECT 1' }])
    const refusal = () => batch().catch((error: unknown) => error)
    await batch()
    await admin.run(`ALTER ROLE ${role} NOLOGIN`)
    await admin.run(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`,
    )
    // The first may meet the connection that was ended.
    await refusal()
    expect(await refusal()).toMatchObject({ code: '28000', isTransient: true, isUnknown: false })
    await admin.run(`ALTER ROLE ${role} LOGIN`)
    await batch()
  })
})
