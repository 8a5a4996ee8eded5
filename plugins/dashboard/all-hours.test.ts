import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { sumsOfAll } from './all-hours-sql.ts'

const HOUR_SECONDS = 3_600
/** A midnight, in seconds. */
const midnight = 1_750_032_000

it('reads no hours on SQLite but those beside thirds', () => {
  const file = new DatabaseSync(':memory:')
  const columns = 'created_at, model_name, token_used, count, quota'
  for (const table of ['models', 'thirds', 'weeks'])
    file.exec(
      `CREATE TABLE dashboard__${table} (${columns}, PRIMARY KEY (created_at, model_name)) WITHOUT ROWID`,
    )
  const insert = file.prepare(`INSERT INTO dashboard__models VALUES (?, 'm', 1, 1, 1)`)
  for (let hour = 0; hour < 240; hour += 1) insert.run(midnight + hour * HOUR_SECONDS)
  let seen = 0
  file.function('seen', () => (seen += 1))
  // Three hours before the first third, and two behind the last.
  const span = { start: midnight + 5 * HOUR_SECONDS, end: midnight + 217 * HOUR_SECONDS }
  const sql = sumsOfAll(span, 0).table().replaceAll('models WHERE', 'models WHERE seen() AND')
  const found = file.prepare(`SELECT COUNT(*) AS hours FROM ${sql}`).get()
  expect({ ...found, seen }).toEqual({ hours: 5, seen: 5 })
  file.close()
})
