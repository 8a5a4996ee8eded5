import { expect, it } from 'vitest'
import type { LogRecord } from '#core'
import { exportLines } from './export.ts'
import { ExportTurns } from './export-turns.ts'

const row = { created_at: 1_700_000_000, type: 2, quota: 1, other: '' } as LogRecord

/** A log without end that counts who reads it. */
function endlessLog() {
  const reading = { now: 0, most: 0 }
  async function* slices() {
    for (;;) {
      reading.now += 1
      reading.most = Math.max(reading.most, reading.now)
      await new Promise<void>((resolve) => {
        setImmediate(resolve)
      })
      reading.now -= 1
      yield [row]
    }
  }
  const turns = new ExportTurns()
  const begin = (view = (shown: LogRecord) => shown) =>
    exportLines({ slices }, { query: {}, isAdmin: true, quotaPerUnit: 1, view, turns })
  return { reading, begin }
}

async function readOn(lines: AsyncGenerator<string>, count: number): Promise<number> {
  let read = 0
  while (read < count && !(await lines.next()).done) read += 1
  return read
}

it('lets two exports at a time read, and each of twenty go on', async () => {
  const { reading, begin } = endlessLog()
  const exports = Array.from({ length: 20 }, () => begin())
  const read = await Promise.all(exports.map((lines) => readOn(lines, 10)))
  expect(read).toEqual(exports.map(() => 10))
  expect(reading.most).toBe(2)
})

it('goes on beside exports whose readers have stopped or left, and after one that failed', async () => {
  const { begin } = endlessLog()
  const stopped = Array.from({ length: 5 }, () => begin())
  for (const lines of stopped) await readOn(lines, 2)
  await stopped[0]?.return(undefined)
  const failing = () =>
    begin(() => {
      throw new Error('no view')
    })
  for (let count = 0; count < 3; count += 1)
    await expect(readOn(failing(), 2)).rejects.toThrow('no view')
  expect(await readOn(begin(), 10)).toBe(10)
})
