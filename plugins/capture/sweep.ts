import { setTimeout } from 'node:timers/promises'
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
    await setTimeout(PAUSE_MS)
  while (!signal.aborted && (await deleteOrphans(database, SLICE)) === SLICE)
    await setTimeout(PAUSE_MS)
  while (!signal.aborted && (await totalSize(database)) > mostSize) {
    if ((await deleteOldest(database, SLICE)) === 0) return
    await setTimeout(PAUSE_MS)
  }
}
