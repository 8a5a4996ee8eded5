// A process that carries entries forward is killed at any point, while another spends: the books are right whenever one looks.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { driverKinds, quietLog } from '../../../test/harness/databases.ts'
import { quietEvents } from '../../../test/harness/quiet-events.ts'
import { foldEntries } from './fold-entries-sql.ts'
import { Ledger } from './ledger.ts'

const victim = fileURLToPath(
  new URL('../../../test/harness/faults/folding-victim.ts', import.meta.url),
)
const balance = 1_000_000_000
const entries = 30_000
const rounds = 12
/** Everything but what is entered from now on. */
const before = 1_000_000

describe.each(driverKinds)('kill -9 while entries are carried forward on $name', ({ create }) => {
  it('loses nothing and counts nothing twice', async () => {
    const test = await create()
    const { database } = test
    const ledger = await Ledger.open({
      database,
      nodeId: 'spender',
      log: quietLog,
      events: quietEvents,
    })
    await database.run(`INSERT INTO users (id, username) VALUES (1, 'spender'), (2, 'other')`)
    for (const userId of [1, 2])
      await database.transaction((transaction) =>
        ledger.change({ userId, units: balance, kind: 'topup', ref: `t${userId}`, transaction }),
      )
    const rows = Array.from({ length: entries }, (_, at) => [
      1 + (at % 2),
      at % 5,
      `${at}`,
      -1 - (at % 7),
    ])
    for (let at = 0; at < rows.length; at += 1_000)
      await database.run(
        `INSERT INTO ledger_entries (user_id, token_id, kind, ref, amount, balance, created_at)
        SELECT column1, column2, 'consume', column3, column4, 0, 1 FROM (VALUES :rows) AS made`,
        { rows: rows.slice(at, at + 1_000) },
      )
    await database.run(
      'UPDATE users SET quota = (SELECT SUM(amount) FROM ledger_entries WHERE user_id = users.id)',
    )
    const { url, dataDir, sqliteDriver } = test.settings
    const settings = JSON.stringify({ url, dataDir, sqliteDriver })
    let kills = 0
    for (let round = 0; round < rounds; round += 1) {
      const child = spawn(process.execPath, [victim, settings, String(before)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const exited = once(child, 'exit')
      await once(child.stdout, 'data')
      await pause(1 + 7 * round)
      const requestId = `call-${round}`
      const call = { requestId, userId: 1, tokenId: 0, isTokenLimited: false, units: 50 }
      await ledger.settle(await ledger.reserve(call), { units: 7, channelId: 0 })
      if (child.exitCode === null && child.kill('SIGKILL')) kills += 1
      await exited
      expect(await ledger.verify()).toEqual({ users: 2, faults: [] })
    }
    expect(kills).toBeGreaterThan(2)
    await foldEntries(database, { before })
    expect(await ledger.verify()).toEqual({ users: 2, faults: [] })
    const kinds = await database.select<{ kind: string; count: number }>(
      'SELECT kind, CAST(COUNT(*) AS BIGINT) AS count FROM ledger_entries GROUP BY kind ORDER BY kind',
    )
    expect(kinds).toEqual([
      { kind: 'carried', count: 10 },
      { kind: 'consume', count: rounds },
      { kind: 'topup', count: 2 },
    ])
    await ledger.close()
    await test.close()
  })
})
