import type { DatabaseService } from '#core'

/** While `work` runs, no row of the log can be written: what must not happen without one must not happen then. */
export async function withoutLog<T>(database: DatabaseService, work: () => Promise<T>): Promise<T> {
  await database.run('ALTER TABLE logs RENAME TO logs_away')
  try {
    return await work()
  } finally {
    await database.run('ALTER TABLE logs_away RENAME TO logs')
  }
}
