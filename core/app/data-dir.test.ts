import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockFile } from '../data/sqlite/file-lock.ts'
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

  it('is told from one on a file system that locks nothing', () => {
    // As there, not even a file of one's own can be locked.
    const lock = join(directory, 'tollgate.lock')
    const held = [lock, `${lock}.${process.pid}`].map(lockFile)
    expect(() => takeDataDir(directory)).toThrow(
      `DATA_DIR ${directory} cannot be used: its file system has no locks, which SQLite needs`,
    )
    for (const unlock of held) unlock?.()
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
      const isFile = `cannot be used: ${file} is a file, not a folder`
      expect(() => take(file)).toThrow(`DATA_DIR ${file} ${isFile}`)
      expect(() => take(join(file, 'below'))).toThrow(`DATA_DIR ${join(file, 'below')} ${isFile}`)
      const link = join(directory, 'link')
      symlinkSync(join(directory, 'gone'), link)
      const isBroken = `${link} is a link to ${join(directory, 'gone')}, which does not exist`
      expect(() => take(join(link, 'below'))).toThrow(isBroken)
    },
  )

  it('is made with those above it, also behind a link', () => {
    mkdirSync(join(directory, 'real'))
    symlinkSync(join(directory, 'real'), join(directory, 'link'))
    sharedDataDir(join(directory, 'link', 'one', 'two'))
    expect(statSync(join(directory, 'real', 'one', 'two')).mode & 0o777).toBe(0o700)
  })

  it.runIf(process.platform === 'linux')('that no file system has is refused, not awaited', () => {
    const module = new URL('./data-dir.ts', import.meta.url).href
    const script = `const { sharedDataDir } = await import('${module}'); sharedDataDir('/proc/x/y')`
    const options = { encoding: 'utf8', timeout: 60_000 } as const
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], options)
    expect(stderr).toContain('DATA_DIR /proc/x/y cannot be used: no folder can be made in /proc')
  })

  it.each(['tollgate.lock', 'tollgate.pid'])('whose %s is no file is told of it', (name) => {
    mkdirSync(join(directory, name))
    expect(() => takeDataDir(directory)).toThrow(
      new RegExp(`^DATA_DIR ${directory} cannot be used: .*${join(directory, name)}`),
    )
    rmSync(join(directory, name), { recursive: true })
    takeDataDir(directory).release()
  })

  it.runIf(process.getuid?.() === 0)(
    'that belongs to somebody else is told with who may not',
    () => {
      chmodSync(directory, 0o755)
      const module = new URL('./data-dir.ts', import.meta.url).href
      const script = `process.setuid(65534)
      const { takeDataDir } = await import('${module}'); takeDataDir('${directory}')`
      const options = { encoding: 'utf8', timeout: 60_000 } as const
      const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], options)
      expect(stderr).toContain(`${directory} cannot be used: user 65534 may not write there`)
    },
  )
})
