import type { DatabaseService, Transaction } from '#core'
import { heights } from './schema.ts'

export interface SpentKey {
  budget_id: number
  /** Unix milliseconds. */
  begins_at: number
  /** Whose sum it is, 0 where all are one. */
  subject: number
}

export interface SpentRow extends SpentKey {
  units: number
  warned_percent: number
  changed_ms: number
}

/** The clock of the database: one for all nodes. */
function clockOf({ dialect }: DatabaseService): string {
  return dialect === 'sqlite'
    ? `CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)`
    : `CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)`
}

/** Adds to what all nodes have counted; a sum whose budget is gone stays away. @returns the sum as it is now */
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

/** What was changed since then, by the clock of the database, of periods that began at these moments. Where that clock was set back, what was
 *  changed by its new time counts too. */
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

/** @returns whether nobody was told of this height before */
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

/** After a change of the limit: what is told of a height that is no longer reached will be told anew. */
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

/** @returns how many went */
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
