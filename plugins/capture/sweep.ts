import type { DatabaseService } from '#core'
import { deleteCallsBefore, deleteOldest, deleteOrphans, totalSize } from './capture-sql.ts'

const SLICE = 200
const PAUSE_MS = 20

export interface SweepLimits {
  /** Unix seconds; older calls are deleted. */
  before: number
  /** The most characters that may be stored in total. */
  mostSize: number
}

/** Deletes in slices, so that nobody waits for long. */
export async function sweep(
  database: DatabaseService,
  { before, mostSize }: SweepLimits,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await deleteCallsBefore(database, before, SLICE)) === SLICE)
    await pause()
  while (!signal.aborted && (await deleteOrphans(database, SLICE)) === SLICE) await pause()
  while (!signal.aborted && (await totalSize(database)) > mostSize) {
    if ((await deleteOldest(database, SLICE)) === 0) return
    await pause()
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
}
