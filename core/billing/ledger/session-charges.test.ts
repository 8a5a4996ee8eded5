// The money of a session: charge after charge, and one log row, whoever writes it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { driverKinds, quietLog, type TestDatabase } from '../../../test/harness/databases.ts'
import { quietEvents } from '../../../test/harness/quiet-events.ts'
import type { LogRow } from '../../contract/money-services.ts'
import { Ledger } from './ledger.ts'

describe.each(driverKinds)('a session in the ledger, on $name', ({ create }) => {
  let test: TestDatabase
  let ledger: Ledger
  /** Of log sinks. */
  const published: LogRow[] = []

  beforeEach(async () => {
    test = await create()
    await test.database.run(`INSERT INTO users (id, username) VALUES (1, 'talker')`)
    published.length = 0
    ledger = await Ledger.open({
      database: test.database,
      nodeId: 'a',
      log: quietLog,
      events: quietEvents,
      audience: { isEmpty: false, publish: (rows) => void published.push(...rows) },
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
      requestId: 'session',
      userId: 1,
      tokenId: 0,
      isTokenLimited: false,
      units: 100,
    })
  const rowOf = (quota: number) =>
    ({ user_id: 1, type: 2, request_id: 'session', model_name: 'rt', quota }) as LogRow

  /** So many answers of 40 units. */
  async function talk(answers: number): Promise<void> {
    for (let count = 1; count <= answers; count += 1) {
      const charge = { units: 40, channelId: 0 }
      await ledger.sessions.settle(await reserve(), charge, rowOf(40 * count))
    }
  }
  const rows = () =>
    test.database.select('SELECT quota, request_id, username FROM logs ORDER BY id')
  const kept = () => test.database.select('SELECT request_id FROM open_sessions')

  it('has one row of all its charges at its end', async () => {
    await talk(2)
    expect(await rows()).toEqual([])
    await ledger.sessions.finish({ requestId: 'session', held: await reserve() }, rowOf(80))
    expect(await rows()).toEqual([{ quota: 80, request_id: 'session', username: 'talker' }])
    expect(await kept()).toEqual([])
    expect(await ledger.balance(1)).toBe(920)
  })

  it('has that row from whoever dissolves a node that was killed, once', async () => {
    await talk(2)
    // As a process that is gone has left it.
    await test.database.run(`UPDATE open_sessions SET node_id = 'dead'`)
    await test.database.run(
      `INSERT INTO nodes (id, started_at, heartbeat_at) VALUES ('dead', 0, 0)`,
    )
    expect(await ledger.recover()).toBe(1)
    expect(await ledger.recover()).toBe(0)
    expect(await rows()).toEqual([{ quota: 80, request_id: 'session', username: 'talker' }])
    expect(published).toMatchObject([{ user_id: 1, request_id: 'session', quota: 80, content: '' }])
    expect(await kept()).toEqual([])
    expect(await test.database.select('SELECT name FROM log_models')).toEqual([{ name: 'rt' }])
  })

  it('keeps nothing where consumption is not logged', async () => {
    await ledger.sessions.settle(await reserve(), { units: 40, channelId: 0 }, undefined)
    await ledger.sessions.finish({ requestId: 'session', held: undefined }, undefined)
    expect(await kept()).toEqual([])
    expect(await rows()).toEqual([])
    expect(await ledger.balance(1)).toBe(960)
  })
})
