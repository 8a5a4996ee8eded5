import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { driverKinds, quietLog, type TestDatabase } from '../../../test/harness/databases.ts'
import { gateTo } from '../../../test/harness/faults/tcp-gate.ts'
import { quietEvents } from '../../../test/harness/quiet-events.ts'
import { openDatabase } from '../../data/database.ts'
import { Ledger } from './ledger.ts'
import { LeaseStore } from './lease-store-sql.ts'
import { verifyLeases, verifyLedger } from './ledger-verify-report.ts'

const victim = fileURLToPath(
  new URL('../../../test/harness/faults/ledger-victim.ts', import.meta.url),
)
const balance = 1_000_000_000

describe.each(driverKinds)('a ledger that fails, on $name', ({ name, create }) => {
  let test: TestDatabase

  beforeEach(async () => {
    test = await create()
    await test.database.run(`INSERT INTO users (id, username) VALUES (1, 'spender')`)
    await test.database.run(
      `INSERT INTO tokens (id, user_id, "key", key_hash, created_time, accessed_time, remain_quota)
      VALUES (1, 1, '', '', 0, 0, :balance)`,
      { balance },
    )
    const ledger = await openLedger('giver')
    await test.database.transaction((transaction) =>
      ledger.change({ userId: 1, units: balance, kind: 'topup', ref: 'start', transaction }),
    )
    await ledger.close()
  })

  afterEach(() => test.close())

  function openLedger(nodeId: string, database = test.database): Promise<Ledger> {
    return Ledger.open({ database, nodeId, log: quietLog, events: quietEvents })
  }

  function reserve(ledger: Ledger, requestId: string, units = 100) {
    return ledger.reserve({ requestId, userId: 1, tokenId: 0, isTokenLimited: false, units })
  }

  function onServer(statement: (database: string) => string): Promise<number> {
    return test.database.run(statement(new URL(test.settings.url ?? '').pathname.slice(1)))
  }

  async function numberOf(sql: string): Promise<number> {
    return (await test.database.select<{ number: number }>(sql))[0]?.number ?? 0
  }

  /** Lets the victim confirm so many calls, kills it without warning, and tells which it confirmed. */
  async function killAfter(count: number, nodeId: string): Promise<string[]> {
    const { url, dataDir, sqliteDriver } = test.settings
    const settings = JSON.stringify({ url, dataDir, sqliteDriver })
    const child = spawn(process.execPath, [victim, settings, nodeId], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    const confirmed: string[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      if (line !== 'ready') confirmed.push(line)
      if (confirmed.length === count) child.kill('SIGKILL')
    }
    await exited
    return confirmed
  }

  it('has charged every confirmed call once after kill -9, and releases the rest at the next start', async () => {
    const confirmed: string[] = []
    for (const [round, count] of [1, 500].entries()) {
      confirmed.push(...(await killAfter(count, `victim-${round}`)))
    }
    expect(await numberOf('SELECT leased AS number FROM users')).toBeGreaterThan(0)
    const ledger = await openLedger('next')
    // PostgreSQL ends a killed client's session a moment later; a node's sweep meets that, here it is asked again.
    await expect.poll(recoverAll(ledger)).toBe(0)
    expect(await verifyLeases(test.database)).toEqual([])
    expect(await numberOf('SELECT leased AS number FROM users')).toBe(0)
    expect(await numberOf('SELECT leased AS number FROM tokens')).toBe(0)

    const entries = await test.database.select<{ ref: string; charges: number }>(
      `SELECT ref, COUNT(*) AS charges FROM ledger_entries WHERE kind = 'consume' GROUP BY ref`,
    )
    const charges = new Map(entries.map(({ ref, charges }) => [ref, charges]))
    expect(confirmed.filter((requestId) => charges.get(requestId) !== 1)).toEqual([])
    expect(entries.filter((entry) => entry.charges !== 1)).toEqual([])
    const rows = await test.database.select<{ request_id: string }>('SELECT request_id FROM logs')
    expect(new Set(rows.map(({ request_id }) => request_id))).toEqual(new Set(charges.keys()))
    expect(rows).toHaveLength(entries.length)
    expect(await ledger.balance(1)).toBe(balance - 7 * entries.length)
    expect(await numberOf('SELECT remain_quota AS number FROM tokens')).toBe(
      await ledger.balance(1),
    )
    expect(await ledger.verify()).toMatchObject({ faults: [] })
    await ledger.close()
  })

  it('writes the other rows of a batch that one row spoils, and gives that call its units back', async () => {
    const spoil =
      name === 'PostgreSQL'
        ? `ALTER TABLE logs ADD CONSTRAINT spoiled CHECK (request_id <> 'bad')`
        : `CREATE TRIGGER spoiled BEFORE INSERT ON logs WHEN NEW.request_id = 'bad'
          BEGIN SELECT RAISE(ABORT, 'spoiled'); END`
    await test.database.run(spoil)
    const ledger = await openLedger('node')
    const results = await Promise.allSettled(
      ['first', 'bad', 'last'].map(async (requestId) => {
        const log = { user_id: 1, type: 2, content: '', request_id: requestId }
        if (requestId !== 'bad')
          return ledger.settle(await reserve(ledger, requestId), { units: 9, channelId: 0 })
        const reservation = await reserve(ledger, requestId)
        return ledger.settle(reservation, { units: 9, channelId: 0, log: log as never })
      }),
    )
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    const rows = await test.database.select(`SELECT ref FROM ledger_entries WHERE kind = 'consume'`)
    expect(rows).toEqual([{ ref: 'first' }, { ref: 'last' }])
    await ledger.settle(await reserve(ledger, 'after', balance - 18), { units: 0, channelId: 0 })
    await ledger.close()
    expect(await verifyLeases(test.database)).toEqual([])
  })

  if (name !== 'PostgreSQL')
    it('is refused a file that another one serves', async () => {
      const ledger = await openLedger('first')
      const secondDatabase = await openDatabase(test.settings)
      await expect(openLedger('second', secondDatabase)).rejects.toThrow(
        'Another process is serving',
      )
      await ledger.close()
      await secondDatabase.close()
    })

  if (name === 'PostgreSQL')
    it('writes a batch once when its connection is cut', async () => {
      const ledger = await openLedger('node')
      const calls = Array.from({ length: 200 }, async (_, index) => {
        const reservation = await reserve(ledger, `call ${index}`)
        if (index % 40 === 0) await cutLedgerConnections()
        await ledger.settle(reservation, { units: 10, channelId: 0 })
      })
      await Promise.all(calls)
      expect(
        await numberOf(`SELECT COUNT(*) AS number FROM ledger_entries WHERE kind = 'consume'`),
      ).toBe(200)
      expect(await ledger.balance(1)).toBe(balance - 2000)
      await ledger.close()
      expect(await verifyLeases(test.database)).toEqual([])
    })

  if (name === 'PostgreSQL')
    it('writes a batch that the server gave up for its time limit', async () => {
      await onServer((place) => `ALTER DATABASE ${place} SET statement_timeout = '500ms'`)
      const database = await openDatabase(test.settings)
      const ledger = await openLedger('hurried', database)
      const reservation = await reserve(ledger, 'late')
      const locked = Promise.withResolvers<void>()
      const release = Promise.withResolvers<void>()
      const holding = test.database.transaction(async (transaction) => {
        await test.database.run('UPDATE users SET quota = quota WHERE id = 1', {}, transaction)
        locked.resolve()
        await release.promise
      })
      await locked.promise
      const settled = ledger.settle(reservation, { units: 10, channelId: 0 })
      // After some tries it is known that nothing can be charged.
      await expect.poll(() => ledger.isAlive).toBe(false)
      release.resolve()
      await holding
      await settled
      expect(ledger.isAlive).toBe(true)
      await ledger.close()
      expect(await consumed()).toBe(1)
      await database.close()
    })

  if (name === 'PostgreSQL')
    it('writes a batch once whose answer never came, and lets calls in again with nothing more to write', async () => {
      const gate = await gateTo(test.settings.url ?? '')
      const database = await openDatabase({ ...test.settings, url: gate.url, silenceLookMs: 100 })
      const ledger = await openLedger('unheard', database)
      await ledger.settle(await reserve(ledger, 'before'), { units: 1, channelId: 0 })
      const reservation = await reserve(ledger, 'answered')
      gate.hold('answers')
      const settled = ledger.settle(reservation, { units: 30, channelId: 0 })
      await expect.poll(() => ledger.balance(1).catch(() => 'away')).toBe('away')
      expect(ledger.isAlive).toBe(false)
      expect(await consumed()).toBe(2)
      gate.open()
      await settled
      expect(ledger.isAlive).toBe(true)
      await expect.poll(() => ledger.balance(1).catch(() => 'away')).toBe(balance - 31)
      await ledger.settle(await reserve(ledger, 'after'), { units: 5, channelId: 0 })
      await ledger.close()
      expect(await consumed()).toBe(3)
      expect(await verifyLeases(test.database)).toEqual([])
      expect(await verifyLedger(test.database)).toMatchObject({ faults: [] })
      await database.close()
      await gate.close()
    })

  if (name === 'PostgreSQL')
    it('knows again of what it has leased unheard, so that the whole balance can be spent', async () => {
      const gate = await gateTo(test.settings.url ?? '')
      const database = await openDatabase({ ...test.settings, url: gate.url, silenceLookMs: 100 })
      const ledger = await openLedger('unheard', database)
      const slowCommit = `CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON leases DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.kind = 'user') EXECUTE FUNCTION slowly()`
      await test.database.run(`CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_sleep(0.5); RETURN NULL; END $$`)
      await test.database.run(slowCommit)
      const unheard = reserve(ledger, 'unheard', balance).then(
        () => 'held',
        () => 'away',
      )
      await expect.poll(committing).toBe(1)
      gate.hold('answers')
      expect(await unheard).toBe('away')
      await expect.poll(() => numberOf('SELECT leased AS number FROM users')).toBe(balance)
      gate.open()
      await test.database.run('DROP TRIGGER slow ON leases')
      await expect.poll(() => ledger.isAlive).toBe(true)
      const reservation = await reserve(ledger, 'all of it', balance)
      expect(await numberOf('SELECT leased AS number FROM users')).toBe(balance)
      await ledger.settle(reservation, { units: balance, channelId: 0 })
      await expect(reserve(ledger, 'more', 1)).rejects.toMatchObject({ code: 'quota.insufficient' })
      await ledger.close()
      expect(await verifyLeases(test.database)).toEqual([])
      await database.close()
      await gate.close()
    })

  function committing(): Promise<number> {
    return numberOf(`SELECT COUNT(*) AS number FROM pg_stat_activity
      WHERE application_name = 'tollgate leases' AND state = 'active' AND query LIKE 'COMMIT%' AND datname = current_database()`)
  }

  it('takes units back once, however often it is told to', async () => {
    const ledger = await openLedger('node')
    await ledger.settle(await reserve(ledger, 'leases in advance'), { units: 1, channelId: 0 })
    const store = new LeaseStore(test.database, 'node')
    const leased = () => numberOf('SELECT leased AS number FROM users')
    const before = await leased()
    const debts = [{ kind: 'user', id: 1, units: 40 }] as const
    await store.shrinkAll(debts, 1)
    await store.shrinkAll(debts, 1)
    expect(await leased()).toBe(before - 40)
    await store.shrinkAll(debts, 2)
    expect(await leased()).toBe(before - 80)
    expect(await verifyLeases(test.database)).toEqual([])
    await ledger.close()
    expect(await numberOf('SELECT COUNT(*) AS number FROM leases')).toBe(0)
  })

  if (name === 'PostgreSQL')
    it('charges the balance itself when its leases went back as a dead node’s', async () => {
      const ledger = await openLedger('cut off')
      const otherDatabase = await openDatabase(test.settings)
      const other = await openLedger('other', otherDatabase)
      const reservation = await reserve(ledger, 'open call')
      expect(await other.recover()).toBe(0)
      await cutLedgerConnections()
      // The other node's own connection was cut as well; its next batch opens it again.
      await other.settle(await reserve(other, 'own'), { units: 1, channelId: 0 })
      expect(await other.recover()).toBe(1)
      await ledger.settle(reservation, { units: 30, channelId: 0 })
      expect(await other.recover()).toBe(0)
      expect(await ledger.balance(1)).toBe(balance - 31)
      await ledger.settle(await reserve(ledger, 'later'), { units: 5, channelId: 0 })
      expect(await verifyLeases(test.database)).toEqual([])
      await ledger.close()
      await other.close()
      await otherDatabase.close()
      expect(await ledger.verify()).toMatchObject({ faults: [] })
      expect(await numberOf('SELECT leased AS number FROM users')).toBe(0)
    })

  if (name === 'PostgreSQL')
    it('keeps a charge until the node is entered again, where that fails at first', async () => {
      const ledger = await openLedger('cut off')
      const reservation = await reserve(ledger, 'answered')
      await test.database.run('DELETE FROM nodes')
      await refuseToEnter(3)
      await ledger.settle(reservation, { units: 30, channelId: 0 })
      expect(await ledger.balance(1)).toBe(balance - 30)
      await ledger.settle(await reserve(ledger, 'later'), { units: 5, channelId: 0 })
      await ledger.close()
      expect(await ledger.verify()).toMatchObject({ faults: [] })
    })

  if (name === 'PostgreSQL')
    it('leases anew from a server that took over without the last commits', async () => {
      const ledger = await openLedger('outlives a server')
      const reservation = await reserve(ledger, 'answered')
      await test.database.run(`DELETE FROM leases WHERE kind = 'user'`)
      await test.database.run('UPDATE users SET leased = 0')
      await promote('00000002')
      await ledger.settle(reservation, { units: 30, channelId: 0 })
      expect(await ledger.balance(1)).toBe(balance - 30)
      expect(await verifyLeases(test.database)).toEqual([])
      await ledger.settle(await reserve(ledger, 'later'), { units: 5, channelId: 0 })
      await cutLedgerConnections()
      await ledger.settle(await reserve(ledger, 'on the same server'), { units: 5, channelId: 0 })
      expect(await consumed()).toBe(3)
      await ledger.close()
      expect(await numberOf('SELECT leased AS number FROM users')).toBe(0)
      expect(await ledger.verify()).toMatchObject({ faults: [] })
    })

  /** What a connection sees of a standby that was promoted: the history of its log has another number. */
  async function promote(timeline: string): Promise<void> {
    await test.database.run(`CREATE FUNCTION public.pg_walfile_name(pg_lsn) RETURNS text
      LANGUAGE sql AS $$ SELECT '${timeline}0000000000000001' $$`)
    await onServer((place) => `ALTER DATABASE ${place} SET search_path = public, pg_catalog`)
    await cutLedgerConnections()
  }

  /** As a server does that has no connection left for the pool. */
  async function refuseToEnter(times: number): Promise<void> {
    await test.database.run('CREATE SEQUENCE entries_of_nodes')
    await test.database.run(`CREATE FUNCTION refuse_node() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('entries_of_nodes') > ${times} THEN RETURN NEW; END IF;
      RAISE EXCEPTION 'sorry, too many clients already' USING ERRCODE = '53300';
    END $$`)
    await test.database.run(
      'CREATE TRIGGER refuse_node BEFORE INSERT ON nodes FOR EACH ROW EXECUTE FUNCTION refuse_node()',
    )
  }

  function consumed(): Promise<number> {
    return numberOf(`SELECT COUNT(*) AS number FROM ledger_entries WHERE kind = 'consume'`)
  }

  function recoverAll(ledger: Ledger): () => Promise<number> {
    return async () => {
      await ledger.recover()
      return numberOf(`SELECT COUNT(*) AS number FROM nodes WHERE id <> 'next'`)
    }
  }

  async function cutLedgerConnections(): Promise<void> {
    await test.database.select(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE application_name = 'tollgate ledger' AND datname = current_database()`,
    )
  }
})
