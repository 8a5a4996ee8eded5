import { statSync } from 'node:fs'

/** An open file that is deleted or replaced is still written to, by SQLite too in its WAL mode, and is gone with the process that
 *  has it open: nothing may be charged into it. The same file may be put back.
 *  @returns a check that gives the error of a write; it takes some microseconds */
export function placeOf(file: string): () => Error | undefined {
  const opened = idOf(file)
  return () => {
    if (idOf(file) === opened) return undefined
    const message = `${file} is not the file that was opened: it was deleted, moved or replaced. Put the same file back before the gateway is stopped`
    return Object.assign(new Error(`SQLITE_READONLY: ${message}`), {
      code: 'SQLITE_READONLY_DBMOVED',
    })
  }
}

/** Undefined if there is no such file, or no way to it. */
function idOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true })
    return `${dev} ${ino}`
  } catch {
    return undefined
  }
}
