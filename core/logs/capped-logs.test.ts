import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LogService } from '../contract/services.ts'
import { CappedLogs, errorRowsPerMinute } from './capped-logs.ts'

type Row = Parameters<LogService['write']>[0]

describe('error rows', () => {
  let rows: Row[]
  let logs: CappedLogs

  beforeEach(() => {
    vi.useFakeTimers()
    rows = []
    logs = new CappedLogs({
      write: (row) => void rows.push(row),
      writeIn: async (row) => void rows.push(row),
    })
  })

  afterEach(() => vi.useRealTimers())

  const fail = (userId: number, times: number) => {
    for (let time = 0; time < times; time += 1) {
      logs.write({ user_id: userId, username: `user ${userId}`, type: 5, content: 'status 500' })
    }
  }

  it('are capped for each user and minute, and the rest is one row', () => {
    fail(1, errorRowsPerMinute + 25)
    fail(2, 3)
    expect(rows).toHaveLength(errorRowsPerMinute + 3)
    vi.advanceTimersByTime(60_000)
    expect(rows.slice(errorRowsPerMinute + 3)).toEqual([
      {
        user_id: 1,
        username: 'user 1',
        type: 5,
        content: '25 further errors within a minute have no row of their own',
        other: JSON.stringify({ op: 'errors_counted', count: 25 }),
      },
    ])
    fail(1, 1)
    expect(rows.at(-1)?.content).toBe('status 500')
  })

  it('lets rows of other types pass', () => {
    for (let time = 0; time < 200; time += 1) logs.write({ user_id: 1, type: 4, content: 'gift' })
    expect(rows).toHaveLength(200)
  })

  it('are summed up at the end of the process', () => {
    fail(1, errorRowsPerMinute + 1)
    logs.flush()
    expect(rows).toHaveLength(errorRowsPerMinute + 1)
    vi.advanceTimersByTime(60_000)
    expect(rows).toHaveLength(errorRowsPerMinute + 1)
  })
})
