import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { lockFile } from '../data/sqlite/file-lock.ts'
import { checkWritable, makeFolder } from '../data/make-folder.ts'
import { errorText } from '../kernel/error-text.ts'

/** Creates the data folder and locks it for this process, because an SQLite file may have only one writer.
 *  @throws Error naming the process that holds the lock */
export function takeDataDir(directory: string): { path: string; release(): void } {
  const path = made(directory)
  const file = join(path, 'tollgate.pid')
  const unlock = lockOf(path, file)
  try {
    writeFileSync(file, String(process.pid), { mode: 0o600 })
  } catch (cause) {
    unlock()
    throw unusable(path, cause)
  }
  return {
    path,
    release: () => {
      rmSync(file, { force: true })
      unlock()
    },
  }
}

/** With PostgreSQL the folder holds only the master key, so several processes may share it. */
export function sharedDataDir(directory: string): { path: string; release(): void } {
  return { path: made(directory), release: () => undefined }
}

function made(directory: string): string {
  const path = resolve(directory)
  try {
    makeFolder(path, 0o700)
    return path
  } catch (cause) {
    throw unusable(path, cause)
  }
}

function lockOf(path: string, holderFile: string): () => void {
  const lock = join(path, 'tollgate.lock')
  let unlock: (() => void) | undefined
  try {
    checkWritable(path)
    unlock = lockFile(lock)
  } catch (cause) {
    // SQLite's error does not name the file.
    const isOfLock = cause instanceof Error && 'errcode' in cause
    throw unusable(path, isOfLock ? new Error(`${lock}: ${cause.message}`, { cause }) : cause)
  }
  if (unlock) return unlock
  throw new Error(
    `DATA_DIR ${path} is in use by ${holder(holderFile)}; stop it, or use PostgreSQL for several processes`,
  )
}

function holder(file: string): string {
  try {
    return `process ${Number(readFileSync(file, 'utf8'))}`
  } catch {
    return 'another process'
  }
}

function unusable(path: string, cause: unknown): Error {
  const reason = errorText(cause)
  return new Error(`DATA_DIR ${path} cannot be used: ${reason}`, { cause })
}
