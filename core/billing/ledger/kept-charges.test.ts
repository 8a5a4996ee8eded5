// A charge that outlives its process is made once, however many nodes make it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Client } from 'pg'
import {
  createPostgres,
  driverKinds,
  hasPostgres,
  quietLog,
  type TestDatabase,
} from '../../../test/harness/databases.ts'
import { quietEvents } from '../../../test/harness/quiet-events.ts'
import type { LogRow } from '../../contract/money-services.ts'
import { openDatabase } from '../../data/database.ts'
import { Ledger } from './ledger.ts'

const charge = { requestId: 'call', userId: 1, tokenId: 0, channelId: 0, units: 40 }
const log = { user_id: 1, type: 2, request_id: 'call', model_name: 'm', quota: 40 } as LogRow

describe.each(driverKinds)('a kept charge, on $name,', ({ create }) => {
  let test: TestDatabase
  let ledger: Ledger

  beforeEach(async () => {
    test = await create()
    await test.database.run(`INSERT INTO users (id, username) VALUES (1, 'waiter')`)
    ledger = await Ledger.open({
      database: test.database,
      nodeId: 'a',
      log: quietLog,
      events: quietEvents,
    })
    await test.database.transaction((transaction) =>
      ledger.change({ userId: 1, units: 1000, kind: 'topup', ref: 'start', transaction }),
    )
  })
  afterEach(async () => {
    await ledger.close()
    await test.close()
  })

  const reserve = () =>
    ledger.reserve({
      requestId: 'call',
      userId: 1,
      tokenId: 0,
      isTokenLimited: false,
      units: 100,
    })
  const rows = () => test.database.select('SELECT quota, username FROM logs')
  const kept = () => test.database.select('SELECT facts FROM open_responses')
  /** As a process that is gone has left it. */
  const leave = () => test.database.run(`UPDATE open_responses SET node_id = 'dead'`)

  it('is made by the settlement of its call, with the row', async () => {
    const reservation = await reserve()
    await ledger.kept.keep('call', '{}')
    expect(await kept()).toEqual([{ facts: '{}' }])
    await ledger.settle(reservation, { units: 40, channelId: 0, log })
    expect(await rows()).toEqual([{ quota: 40, username: 'waiter' }])
    expect(await kept()).toEqual([])
    expect(await ledger.balance(1)).toBe(960)
    expect(await ledger.verify()).toMatchObject({ faults: [] })
  })

  it('is forgotten with a call that is released', async () => {
    const reservation = await reserve()
    await ledger.kept.keep('call', '{}')
    await ledger.release(reservation)
    expect(await kept()).toEqual([])
    expect(await ledger.balance(1)).toBe(1000)
  })

  it('is claimed from a dead node, by one that lives, once', async () => {
    await ledger.kept.keep('call', '{}')
    expect(await ledger.kept.claim()).toEqual([])
    await leave()
    expect(await ledger.kept.claim()).toMatchObject([{ requestId: 'call', facts: '{}' }])
    expect(await ledger.kept.claim()).toEqual([])
  })

  it('is made once by two who both follow it, and leaves what is not reserved alone', async () => {
    const reservation = await reserve()
    await ledger.kept.keep('call', '{}')
    await leave()
    await ledger.kept.claim()
    await Promise.all([
      ledger.kept.charge({ ...charge, log }),
      ledger.settle(reservation, { units: 40, channelId: 0, log }),
    ])
    expect(await rows()).toHaveLength(1)
    expect(await ledger.balance(1)).toBe(960)
    const [user] = await test.database.select('SELECT used_quota, request_count FROM users')
    expect(user).toEqual({ used_quota: 40, request_count: 1 })
    expect(await ledger.verify()).toMatchObject({ faults: [] })
  })

  it('may take the balance below zero, and writes no row where none is wanted', async () => {
    await ledger.kept.keep('call', '{}')
    await ledger.kept.charge({ ...charge, units: 1500 })
    expect(await ledger.balance(1)).toBe(-500)
    expect(await rows()).toEqual([])
    expect(await ledger.verify()).toMatchObject({ faults: [] })
  })
})

describe.runIf(hasPostgres)('a kept charge that PostgreSQL gives up', () => {
  it('is made when the lock that it waited for is gone', async () => {
    const test = await createPostgres()
    const name = new URL(test.settings.url ?? '').pathname.slice(1)
    await test.database.run(`INSERT INTO users (id, username) VALUES (1, 'waiter')`)
    await test.database.run(`ALTER DATABASE ${name} SET lock_timeout = '20ms'`)
    const database = await openDatabase(test.settings)
    const warnings: string[] = []
    const log = { ...quietLog, warn: (_: object, message: string) => void warnings.push(message) }
    const ledger = await Ledger.open({ database, nodeId: 'a', log, events: quietEvents })
    await ledger.kept.keep('call', '{}')
    const holder = new Client({ connectionString: test.settings.url })
    await holder.connect()
    await holder.query('BEGIN')
    await holder.query('UPDATE users SET quota = quota WHERE id = 1')
    const charged = ledger.kept.charge(charge)
    charged.catch(() => undefined)
    await expect.poll(() => warnings).toContain('a charge is written again')
    await holder.end()
    await charged
    expect(await ledger.balance(1)).toBe(-40)
    await ledger.close()
    await database.close()
    await test.close()
  })
})
