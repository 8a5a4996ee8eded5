import type { DatabaseService, Transaction } from '#core'
import { heights } from './schema.ts'

export interface SpentKey {
  budget_id: number
  /** Unix milliseconds. */
  begins_at: number
  /** Whose sum it is; 0 for a common one. */
  subject: number
}

export interface SpentRow extends SpentKey {
  units: number
  warned_percent: number
  changed_ms: number
}

/** The database's clock, which is the same for all nodes. */
function clockOf({ dialect }: DatabaseService): string {
  return dialect === 'sqlite'
    ? `CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)`
    : `CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)`
}

/** Adds to the sum of all nodes; does nothing if the budget was deleted. @returns the new sum */
export async function addSpent(
  database: DatabaseService,
  added: SpentKey & { units: number },
  transaction: Transaction,
): Promise<SpentRow | undefined> {
  const [row] = await database.select<SpentRow>(
    `INSERT INTO budgets__spent (budget_id, begins_at, subject, units, changed_ms)
     SELECT :budget_id, :begins_at, :subject, :units, ${clockOf(database)}
     WHERE EXISTS (SELECT 1 FROM budgets__budgets WHERE id = :budget_id)
     ON CONFLICT (budget_id, begins_at, subject)
     DO UPDATE SET units = budgets__spent.units + excluded.units, changed_ms = excluded.changed_ms
     RETURNING budget_id, begins_at, subject, units, warned_percent, changed_ms`,
    { ...added },
    transaction,
  )
  return row
}

/** Sums that have changed since a time of the database's clock, for periods that began at these moments. If that clock
 *  was set back, rows with times after its present are included too. */
export async function spentSince(
  database: DatabaseService,
  { changedMs, overlapMs }: { changedMs: number; overlapMs: number },
  [day, week, month]: readonly [number, number, number],
): Promise<SpentRow[]> {
  return database.select<SpentRow>(
    `SELECT budget_id, begins_at, subject, units, warned_percent, changed_ms FROM budgets__spent
     WHERE changed_ms >= ${database.dialect === 'sqlite' ? 'MIN' : 'LEAST'}(:changedMs, ${clockOf(database)} - :overlapMs)
       AND begins_at IN (:day, :week, :month)`,
    { changedMs, overlapMs, day, week, month },
  )
}

/** @returns whether nobody was notified at this percentage before */
export async function takeWarning(
  database: DatabaseService,
  key: SpentKey,
  percent: number,
): Promise<boolean> {
  const { budget_id, begins_at, subject } = key
  const changed = await database.run(
    `UPDATE budgets__spent SET warned_percent = :percent
     WHERE budget_id = :budget_id AND begins_at = :begins_at AND subject = :subject AND warned_percent < :percent`,
    { budget_id, begins_at, subject, percent },
  )
  return changed === 1
}

/** After the limit has changed: percentages that are no longer reached will be notified again. */
export async function lowerWarnings(
  database: DatabaseService,
  { budgetId, limit }: { budgetId: number; limit: number },
  transaction: Transaction,
): Promise<void> {
  for (const [at, percent] of heights.entries())
    await database.run(
      `UPDATE budgets__spent SET warned_percent = :lower
       WHERE budget_id = :budgetId AND warned_percent = :percent AND units < :reached`,
      {
        budgetId,
        percent,
        lower: heights[at + 1] ?? 0,
        reached: Math.ceil((limit * percent) / 100),
      },
      transaction,
    )
}

export async function deleteSpent(
  database: DatabaseService,
  budgetId: number,
  transaction: Transaction,
): Promise<void> {
  await database.run(
    'DELETE FROM budgets__spent WHERE budget_id = :budgetId',
    { budgetId },
    transaction,
  )
}

/** @returns how many were deleted */
export async function sweepSpent(
  database: DatabaseService,
  beforeMs: number,
  most: number,
): Promise<number> {
  return database.run(
    `DELETE FROM budgets__spent WHERE (budget_id, begins_at, subject) IN
       (SELECT budget_id, begins_at, subject FROM budgets__spent WHERE begins_at < :beforeMs LIMIT :most)`,
    { beforeMs, most },
  )
}
