// Chooses the index of a filter on SQLite. SQLite knows how many rows a value has on average, but not how many this
// value has: of two filters it may walk a customer's million rows to look for a token that was never used. PostgreSQL
// keeps the frequent values of each column and needs no help.
import type { DatabaseService } from '../contract/services.ts'

/** Conditions that have an index. Values that the index leaves out are not looked up by it. */
const indexed = [
  /^user_id (?:=|IN) /,
  /^token_name = /,
  /^model_name IN /,
  /^channel_id = /,
  /^"group" = /,
  /^type = /,
]
const partial = { '"group" = :group': `"group" <> 'default'`, 'type = :type': 'type <> 2' }
/** The most index entries that are walked to compare the candidates. */
const FEW_ENTRIES = 5_000

/** The conditions, rewritten so that only the one with the fewest rows uses an index. */
export async function chooseIndex(
  database: DatabaseService,
  conditions: readonly string[],
  values: Record<string, unknown>,
): Promise<readonly string[]> {
  if (database.dialect !== 'sqlite') return conditions
  const candidates = conditions.filter((condition) => hasIndex(condition, conditions))
  // The errors of one user, channel or model have an index of both.
  if (candidates.length < 2 || candidates.includes('type = :type')) return conditions
  const ids = conditions.filter((condition) => condition.startsWith('id '))
  const counts = await Promise.all(
    candidates.map(async (condition) => {
      const known = partial[condition as keyof typeof partial]
      const where = [condition, ...(known === undefined ? [] : [known]), ...ids].join(' AND ')
      const [counted] = await database.select<{ count: number }>(
        `SELECT COUNT(*) AS count FROM (SELECT 1 FROM logs WHERE ${where} LIMIT ${FEW_ENTRIES}) AS counted`,
        values,
      )
      return counted?.count ?? 0
    }),
  )
  const fewest = candidates[counts.indexOf(Math.min(...counts))]
  return conditions.map((condition) =>
    candidates.includes(condition) && condition !== fewest ? `+${condition}` : condition,
  )
}

function hasIndex(condition: string, all: readonly string[]): boolean {
  const needed = partial[condition as keyof typeof partial]
  return (
    indexed.some((pattern) => pattern.test(condition)) &&
    (needed === undefined || all.includes(needed))
  )
}
