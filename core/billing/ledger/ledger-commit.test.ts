import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { quietLog } from '../../../test/harness/quiet-log.ts'
import { BatchError, type Database } from '../../data/database.ts'
import { CommitQueue } from './ledger-commit.ts'
import { LedgerPulse } from './ledger-pulse.ts'

const longestHoldMs = 10_000

/** A database that takes batches and says nothing until it is told to. */
function silentDatabase() {
  const open: (() => void)[] = []
  const batch = () => new Promise<void>((resolve) => open.push(resolve))
  return {
    database: { dialect: 'sqlite', batch } as unknown as Database,
    answer: () => open.shift()?.(),
  }
}

function queueOver(database: Database): CommitQueue {
  const pulse = { batchFailed: () => undefined, batchWritten: () => undefined }
  return new CommitQueue({
    database,
    nodeId: 'node',
    log: quietLog,
    rejoin: () => Promise.resolve(),
    pulse,
  })
}

describe('waiting for a commit that does not come', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const state = async (promise: Promise<void>) => {
    let isOver = false
    void promise.then(() => (isOver = true))
    await vi.advanceTimersByTimeAsync(0)
    return isOver ? 'over' : 'waiting'
  }

  it('ends after a while, for calls under way and for those behind them', async () => {
    const { database, answer } = silentDatabase()
    const queue = queueOver(database)
    const committed = vi.fn()
    const first = queue.add({ committed })
    await vi.advanceTimersByTimeAsync(longestHoldMs - 1)
    const second = queue.add({ committed })
    expect([await state(first), await state(second)]).toEqual(['waiting', 'waiting'])
    await vi.advanceTimersByTimeAsync(1)
    expect([await state(first), await state(second)]).toEqual(['over', 'over'])
    expect(await state(queue.add({ committed }))).toBe('over')
    expect(committed).not.toHaveBeenCalled()
    // The charges follow, each once.
    answer()
    for (let turn = 0; turn < 3; turn += 1) await nextTurn()
    answer()
    await vi.advanceTimersByTimeAsync(0)
    expect(committed).toHaveBeenCalledTimes(3)
  })

  it('never ends early for what must be in the database before anybody hears of it', async () => {
    const { database, answer } = silentDatabase()
    const queue = queueOver(database)
    const task = queue.add({ alongside: [{ sql: 'INSERT INTO tasks DEFAULT VALUES' }] })
    await vi.advanceTimersByTimeAsync(2 * longestHoldMs)
    expect(await state(task)).toBe('waiting')
    answer()
    expect(await state(task)).toBe('over')
  })

  it('does not count the time in which this process stood still', async () => {
    const { database, answer } = silentDatabase()
    const queue = queueOver(database)
    const waitedMs = () => queue.waitedMs
    const pulse = new LedgerPulse({ probe: expect.fail, waitedMs, log: quietLog })
    const call = queue.add({})
    await vi.advanceTimersByTimeAsync(4_000)
    const stoodStill = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000)
    expect(pulse.isAlive).toBe(true)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(pulse.isAlive).toBe(false)
    stoodStill.mockRestore()
    answer()
    expect(await state(call)).toBe('over')
    expect(pulse.isAlive).toBe(true)
  })

  it('begins anew once the database answers', async () => {
    const { database, answer } = silentDatabase()
    const queue = queueOver(database)
    await vi.advanceTimersByTimeAsync(0)
    const late = queue.add({})
    await vi.advanceTimersByTimeAsync(longestHoldMs)
    await late
    answer()
    await vi.advanceTimersByTimeAsync(0)
    expect(await state(queue.add({}))).toBe('waiting')
  })
})

describe('the end of a gateway whose database is away', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('waits for a while, then counts what is lost', async () => {
    const batch = () =>
      Promise.reject(new BatchError('away', { code: 'x', isTransient: true, isUnknown: false }))
    const queue = queueOver({ dialect: 'sqlite', batch } as unknown as Database)
    const settlement = { requestId: 'call', userId: 1, tokenId: 0, channelId: 0, units: 5 }
    const paid = { userPart: 5, tokenPart: 0, isBacked: () => true, atSeconds: 1 }
    for (let call = 0; call < 2; call += 1)
      void queue.add({ settlement: { ...settlement, ...paid } })
    void queue.add({ log: {} })
    const closed = vi.fn()
    void queue.close().then(closed)
    await vi.advanceTimersByTimeAsync(longestHoldMs - 1)
    expect(closed).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    // The queue's own pauses are Node's.
    await vi.waitFor(() => expect(closed).toHaveBeenCalled(), { timeout: 10_000 })
    expect(queue.lostCharges).toBe(2)
  })
})
