import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import { createEmptyPostgres, hasPostgres } from '../../../test/harness/databases.ts'
import { quietLog } from '../../../test/harness/quiet-log.ts'
import { createLeaderLock } from '../../cluster/leader-lock.ts'
import { type Database, openDatabase } from '../database.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** For a role that may have so many connections. */
async function openWithin(connections: number): Promise<Database> {
  const empty = await createEmptyPostgres()
  closers.push(empty.close)
  const admin = await openDatabase({ url: empty.url, dataDir: tmpdir(), log: quietLog })
  const role = `few_${randomUUID().replaceAll('-', '')}`
  await admin.run(`CREATE ROLE ${role} LOGIN CONNECTION LIMIT ${connections}`)
  closers.push(async () => {
    await admin.run(`DROP ROLE ${role}`)
    await admin.close()
  })
  const url = new URL(empty.url)
  url.username = role
  const database = await openDatabase({ url: url.href, dataDir: tmpdir(), log: quietLog })
  closers.push(() => database.close())
  return database
}

/** Transactions of which as many as get a connection stay open until `end` lets them go, and those who come after them. */
function hold(database: Database, count: number) {
  const open: (() => void)[] = []
  const first = Promise.withResolvers<void>()
  const all = Array.from({ length: count }, () =>
    database.transaction(
      () =>
        new Promise<void>((letGo) => {
          open.push(letGo)
          first.resolve()
        }),
    ),
  )
  const end = async () => {
    let isOver = false
    const over = Promise.all(all).finally(() => {
      isOver = true
    })
    while (!isOver) {
      open.shift()?.()
      await new Promise(setImmediate)
    }
    await over
  }
  return { first: first.promise, end }
}

const nothing = { sql: 'SELECT 1', values: {} }

describe.runIf(hasPostgres)('a PostgreSQL that gives few connections', () => {
  it('lets lists wait for one another', async () => {
    const database = await openWithin(3)
    const rows = await Promise.all(
      Array.from({ length: 40 }, () => database.select<{ one: number }>('SELECT 1 AS one')),
    )
    expect(rows.flat()).toEqual(Array.from({ length: 40 }, () => ({ one: 1 })))
  })

  it('gives the ledger one that lists were about to keep', async () => {
    const database = await openWithin(4)
    const held = hold(database, 20)
    await held.first
    await Promise.all([
      database.batch([nothing]),
      database.brief(({ select }) => select('SELECT 1')),
      held.end(),
    ])
  })

  it('closes an idle one for the session that leads', async () => {
    const database = await openWithin(5)
    await hold(database, 20).end()
    const lock = await createLeaderLock({ database, log: quietLog })
    closers.push(() => lock.close())
    expect(await lock.acquire()).toBeDefined()
  })
})
