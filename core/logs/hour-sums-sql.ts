import { CHANNEL_TEST, logType } from '../contract/constants.ts'

const consumed = (sum: string, otherwise = '0') =>
  `CASE WHEN type = :consume THEN ${sum} ELSE ${otherwise} END`

const sums = {
  username: `MAX(${consumed('username', "''")}) AS username`,
  token_used: `CAST(SUM(${consumed('prompt_tokens + completion_tokens')}) AS BIGINT) AS token_used`,
  count: `CAST(SUM(${consumed('1')}) AS INTEGER) AS count`,
  quota: `CAST(SUM(${consumed('quota')}) AS BIGINT) AS quota`,
  errors: 'CAST(SUM(CASE WHEN type = :error THEN 1 ELSE 0 END) AS INTEGER) AS errors',
} as const

export interface HourSumsQuery {
  /** The columns to group by. They come first in a row, then `hour`. */
  by?: readonly ('user_id' | 'model_name')[]
  /** The sums, in this order after the group. */
  sums: readonly (keyof typeof sums)[]
  /** Selects the rows. Tests of channels are always left out. */
  where: string
  /** Hours begin at multiples of 3600 seconds from this second. */
  origin?: number
}

/** The statement that sums the usage log by hours, for reports and for stored sums. Its values must be passed together
 *  with those of `where`. */
export function hourSums(query: HourSumsQuery): { sql: string; values: Record<string, unknown> } {
  const { by = [], where, origin = 0 } = query
  const hasErrors = query.sums.includes('errors')
  const sql = `SELECT ${by.map((column) => `${column}, `).join('')}created_at - (created_at - :origin) % 3600 AS hour,
       ${query.sums.map((sum) => sums[sum]).join(', ')}
     FROM logs
     WHERE ${where} AND type IN (:consume${hasErrors ? ', :error' : ''})
       AND NOT (token_id = 0 AND token_name = :test)
     GROUP BY ${[...by, 'hour'].map((_column, at) => at + 1).join(', ')}`
  const { consume, error } = logType
  const values = { consume, test: CHANNEL_TEST, origin, ...(hasErrors ? { error } : {}) }
  return { sql, values }
}
