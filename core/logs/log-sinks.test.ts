import { describe, expect, it, vi } from 'vitest'
import type { LogRow, LogSink } from '#core'
import { quietLog } from '../../test/harness/quiet-log.ts'
import { LogSinks, mostWaitingRows } from './log-sinks.ts'

const row = (content: string) => ({ content }) as LogRow
const never = () => new Promise<void>(() => undefined)

function sinksOf(...entries: LogSink[]) {
  const faults: unknown[] = []
  const sinks = entries.map((entry) => ({ owner: `of ${entry.id}`, entry }))
  const log = { ...quietLog, error: (fields: object) => void faults.push(fields) }
  return { sinks, faults, logSinks: new LogSinks({ log, sinks: () => sinks }) }
}

describe('the log sinks of plugins', () => {
  it.each([
    {
      what: 'throws',
      write: () => {
        throw new Error('full')
      },
    },
    { what: 'rejects', write: () => Promise.reject(new Error('full')) },
    { what: 'hangs', write: never },
  ])('are told in order, also beside one that $what, which is blamed', async ({ write }) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const seen: string[] = []
    const good = { id: 'good', write: ({ content }: LogRow) => void seen.push(content) }
    const { logSinks, sinks, faults } = sinksOf({ id: 'bad', write }, good)
    logSinks.publish([row('one'), row('two')])
    expect(seen).toEqual([])
    await logSinks.end(sinks.slice(1))
    expect(seen).toEqual(['one', 'two'])
    const over = logSinks.end(sinks)
    await vi.advanceTimersByTimeAsync(60_000)
    await over
    expect(faults).toContainEqual(expect.objectContaining({ plugin: 'of bad', sink: 'bad' }))
    vi.useRealTimers()
  })

  it('keep a bounded number of rows for one that is too slow', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let count = 0
    let go = (): void => undefined
    const first = new Promise<void>((resolve) => {
      go = resolve
    })
    const slow = { id: 'slow', write: () => (++count === 1 ? first : undefined) }
    const { logSinks, sinks, faults } = sinksOf(slow)
    logSinks.publish(Array.from({ length: mostWaitingRows + 5 }, () => row('more')))
    logSinks.publish([row('more')])
    go()
    await logSinks.end(sinks)
    expect(count).toBe(mostWaitingRows)
    expect(faults).toHaveLength(1)
    vi.useRealTimers()
  })

  it('are told of what was committed before they were loaded, once', async () => {
    const seen: string[] = []
    const entry = { id: 'late', write: ({ content }: LogRow) => void seen.push(content) }
    const sinks = [{ owner: 'of late', entry }]
    let loaded: typeof sinks | undefined
    const logSinks = new LogSinks({ log: quietLog, sinks: () => loaded })
    expect(logSinks.isEmpty).toBe(false)
    logSinks.publish([row('owed')])
    loaded = sinks
    logSinks.begin()
    logSinks.publish([row('new')])
    await logSinks.end(sinks)
    expect(seen).toEqual(['owed', 'new'])
  })

  it('are told after a commit that had no rows', async () => {
    const write = vi.fn()
    const { logSinks, sinks } = sinksOf({ id: 'it', write })
    logSinks.publish([])
    logSinks.publish([row('next')])
    await logSinks.end(sinks)
    expect(write).toHaveBeenCalledExactlyOnceWith(row('next'))
  })

  it('are told no more after their end', async () => {
    const write = vi.fn()
    const { logSinks, sinks } = sinksOf({ id: 'it', write })
    await logSinks.end(sinks)
    logSinks.publish([row('late')])
    await new Promise((resolve) => setImmediate(resolve))
    expect(write).not.toHaveBeenCalled()
  })
})
