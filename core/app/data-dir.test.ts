import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sharedDataDir, takeDataDir } from './data-dir.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'data-dir-'))
})

afterEach(() => rmSync(directory, { recursive: true, force: true }))

describe('the data folder', () => {
  it('is held by one at a time, and the second is told by whom', () => {
    const held = takeDataDir(directory)
    expect(() => takeDataDir(directory)).toThrow(
      `DATA_DIR ${directory} is in use by process ${process.pid}`,
    )
    held.release()
    takeDataDir(directory).release()
  })

  it('is free after a holder that was killed, also when another program has its number now', () => {
    writeFileSync(join(directory, 'tollgate.pid'), String(process.ppid))
    const held = takeDataDir(directory)
    expect(readFileSync(join(directory, 'tollgate.pid'), 'utf8')).toBe(String(process.pid))
    held.release()
  })

  it.each([{ take: takeDataDir }, { take: sharedDataDir }])(
    'that cannot be made is told with the variable that names it',
    ({ take }) => {
      const file = join(directory, 'file')
      writeFileSync(file, '')
      expect(() => take(file)).toThrow(`DATA_DIR ${file} cannot be used: `)
      expect(() => take(join(file, 'below'))).toThrow(/^DATA_DIR .* cannot be used: /)
    },
  )
})
