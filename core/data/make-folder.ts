import { accessSync, constants, lstatSync, mkdirSync, readlinkSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Creates a folder and its parents. Node's own `recursive` never returns if an existing folder refuses a new one with
 *  ENOENT, as those in `/proc` do. @throws Error that says what is in the way */
export function makeFolder(path: string, mode: number): void {
  const above = dirname(path)
  if (above !== path) makeFolder(above, mode)
  if (!isThere(path)) makeOne(path, mode)
}

/** @throws Error naming the user who lacks the permission */
export function checkWritable(path: string): void {
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
  } catch (cause) {
    if (codeOf(cause) !== 'EACCES') throw cause
    throw new Error(`user ${process.getuid?.() ?? ''} may not write there`, { cause })
  }
}

/** @throws Error if something other than a folder has the name */
function isThere(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) return true
  if (found !== undefined) throw new Error(`${path} is a file, not a folder`)
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return false
  throw new Error(`${path} is a link to ${readlinkSync(path)}, which does not exist`)
}

function makeOne(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode })
  } catch (cause) {
    // Another process has created it meanwhile.
    if (codeOf(cause) === 'EEXIST' && isThere(path)) return
    if (codeOf(cause) !== 'ENOENT') throw cause
    throw new Error(`no folder can be made in ${dirname(path)}`, { cause })
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
