import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { quietLog } from '../../../test/harness/quiet-log.ts'
import { type Database, openDatabase } from '../../data/database.ts'
import { migrate } from '../../data/migrate.ts'
import { sqliteBatchSession } from './sqlite-batch-sql.ts'

let dataDir: string
let database: Database

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tollgate-batch-'))
  database = await openDatabase({ url: undefined, dataDir, log: quietLog })
  await migrate(database, quietLog)
})
afterAll(async () => {
  await database.close()
  await rm(dataDir, { recursive: true })
})

/** The statements of the trigger, of a batch that carries nothing. */
function statements(): string[] {
  const trigger = sqliteBatchSession.at(-1)?.sql ?? ''
  const [, body = ''] = /BEGIN\n([^]*);\nEND$/.exec(trigger) ?? []
  return body.split(';\n').map((sql) => sql.replaceAll(/NEW\.\w+/g, "'[]'"))
}

it('writes seven tables', () => {
  const written = statements().map(
    (sql) => /^(?:UPDATE|INSERT(?: OR IGNORE)? INTO) (\w+)/.exec(sql)?.[1],
  )
  expect(written).toEqual([
    'users',
    'tokens',
    'channels',
    'leases',
    'leases',
    'ledger_entries',
    'logs',
    'log_models',
  ])
})

it('reads of each table what it writes, and never all of it', async () => {
  const plans = await Promise.all(
    statements().map((sql) => database.select<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)),
  )
  const details = plans.flat().map(({ detail }) => detail)
  expect(details.some((detail) => detail.startsWith('SEARCH leases'))).toBe(true)
  // Rows of the batch are the one thing that is read from its beginning to its end; a part of a key is a part of the table.
  const whole = details.filter(
    (detail) =>
      /^SCAN (?!jsonb?_each)/.test(detail) ||
      (/ leases /.test(detail) && !/\(rowid=\?\)/.test(detail)),
  )
  expect(whole).toEqual([])
})
