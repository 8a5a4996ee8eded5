import type { DatabaseService } from '#core'

/** Makes every write of a log row fail while `work` runs, to show that nothing happens without its row. */
export async function withoutLog<T>(database: DatabaseService, work: () => Promise<T>): Promise<T> {
  await database.run('ALTER TABLE logs RENAME TO logs_away')
  try {
    return await work()
  } finally {
    await database.run('ALTER TABLE logs_away RENAME TO logs')
  }
}
