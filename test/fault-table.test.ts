// docs/faults.md: each row is complete and names tests that are there, and no fault of the list is without a row.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const repository = fileURLToPath(new URL('..', import.meta.url))
const page = 'docs/faults.md'
const rows = readFileSync(repository + page, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Fault |'))
  .map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )

const faults = [
  'refuses',
  'resets',
  'hangs before',
  'hangs in mid-stream',
  'drips',
  'garbage',
  '8 MiB',
  'error into a 200',
  'no usage',
  'negative or absurd',
  'leaves before',
  'slowly',
  'database is away',
  'PostgreSQL is full',
  'disk of SQLite is full',
  'database is slow',
  'Redis is away',
  'jumps forward',
  'jumps backwards',
  'SIGTERM',
  'kill -9',
  'overload',
]

describe('the table of faults', () => {
  it.each(rows.map((cells) => [cells[0] ?? '', cells] as const))(
    'is complete and proved for: %s',
    (_fault, cells) => {
      expect(cells).toHaveLength(6)
      expect(cells.filter((cell) => cell === '')).toEqual([])
      const named = [...(cells[5] ?? '').matchAll(/`([^`]+)`/g)].map(([, file = '']) => file)
      expect(named).not.toEqual([])
      expect(named.filter((file) => !/\.test\.tsx?$/.test(file))).toEqual([])
      expect(named.filter((file) => !existsSync(repository + file))).toEqual([])
    },
  )

  it.each(faults)('has a row for: %s', (fault) => {
    expect(rows.some(([name = '']) => name.includes(fault))).toBe(true)
  })
})
