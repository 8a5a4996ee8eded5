import type { Transaction } from 'sequelize'
import { logType } from '../contract/constants.ts'
import { objectIn } from '../contract/json.ts'
import type { DatabaseService } from '../contract/services.ts'
import { type LogRow, logs } from '../data/models/log.ts'
import { withoutShapes } from '../secrets/redact.ts'
import type { Family } from './family.ts'
import type { ImportReport } from './import-report.ts'
import { inGroups } from './in-groups.ts'
import type { OldRow } from './old-row.ts'

/** Types that mean the same in all families. What is none of the others, as a refund or a sign-in, is a row of the system. */
const types: ReadonlyMap<number, number> = new Map([
  [1, logType.topup],
  [2, logType.consume],
  [3, logType.manage],
  [4, logType.system],
])

interface LogDeps {
  database: DatabaseService
  report: ImportReport
  family: Family
  print: (line: string) => void
}

/** A line for the operator each so many rows. */
const ROWS_A_LINE = 100_000

/** Takes the rows over in the order of their ids. Sums are made of them by the jobs of the next start. */
export async function importLogs(
  { database, report, family, print }: LogDeps,
  rows: AsyncIterable<OldRow>,
  transaction: Transaction,
): Promise<void> {
  let done = 0
  for await (const group of inGroups(rows)) {
    await logs(database).bulkCreate(
      group.map((row) => logOf(row, family)),
      { transaction },
    )
    report.take('logs', group.length)
    done += group.length
    if (done % ROWS_A_LINE === 0) print(`logs: ${done} rows so far`)
  }
  if (done === 0)
    report.note(
      'log: there are no rows; if the old gateway had LOG_SQL_DSN, start again in an empty database with --logs and its value',
    )
}

function logOf(row: OldRow, { logTypes }: Family): LogRow {
  const there = row.whole('type')
  const type = types.get(there) ?? logTypes[there] ?? logType.system
  // Rows of calls have no text of an upstream; all others may quote one.
  const clean = type === logType.consume ? (text: string) => text : withoutShapes
  return {
    user_id: row.whole('user_id'),
    username: row.text('username'),
    created_at: row.whole('created_at'),
    type,
    content: clean(row.text('content')),
    token_name: row.text('token_name'),
    token_id: row.whole('token_id'),
    model_name: row.text('model_name'),
    quota: row.whole('quota'),
    prompt_tokens: row.whole('prompt_tokens'),
    completion_tokens: row.whole('completion_tokens'),
    use_time_ms: row.whole('elapsed_time') || row.whole('use_time') * 1000,
    is_stream: row.isTrue('is_stream'),
    channel_id: row.whole('channel_id'),
    group: row.text('group'),
    other: clean(objectText(row.text('other'))),
    request_id: row.text('request_id'),
  }
}

/** Empty unless it is an object, as screens read it. */
function objectText(text: string): string {
  return objectIn(text) ? text : ''
}
