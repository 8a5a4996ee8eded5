// Where a run of the tests keeps its files: hundreds of databases are made and dropped, which a disk has to write and memory has not.
import { accessSync, constants, statfsSync } from 'node:fs'

/** Linux's file system in memory. */
const place = '/dev/shm'
/** A run of all tests holds a fifth of it at once. In a container the place often has 64 MB. */
const needed = 2 ** 30

/** Makes `os.tmpdir()` of this process and of those that it starts a folder in memory, if the machine has one that is large enough and nobody has
 *  named another. */
export function keepFilesInMemory(): void {
  if (process.env['TMPDIR'] === undefined && hasRoom()) process.env['TMPDIR'] = place
}

function hasRoom(): boolean {
  try {
    accessSync(place, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = statfsSync(place)
    return bavail * bsize >= needed
  } catch {
    return false
  }
}
