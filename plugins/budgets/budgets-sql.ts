import type { DatabaseService, Transaction } from '#core'
import type { Budget, BudgetBody, Count, Period } from './schema.ts'

interface BudgetRow {
  id: number
  name: string
  period: Period
  amount: number
  counting: Count
  user_id: number
  token_id: number
  group_name: string
  model: string
  is_enabled: number
  created_at: number
}

export async function selectBudgets(database: DatabaseService): Promise<Budget[]> {
  const rows = await database.select<BudgetRow>('SELECT * FROM budgets__budgets ORDER BY id DESC')
  return rows.map(({ amount, counting, group_name, is_enabled, ...row }) => ({
    ...row,
    limit: amount,
    count: counting,
    group: group_name,
    enabled: is_enabled === 1,
  }))
}

const valuesOf = (body: BudgetBody) => ({ ...body, enabled: body.enabled ? 1 : 0 })

/** @returns undefined when there are as many as there may be */
export async function insertBudget(
  database: DatabaseService,
  body: BudgetBody,
  { now, most }: { now: number; most: number },
): Promise<number | undefined> {
  const [row] = await database.transaction((transaction) =>
    database.select<{ id: number }>(
      `INSERT INTO budgets__budgets
         (name, period, amount, counting, user_id, token_id, group_name, model, is_enabled, created_at)
       SELECT :name, :period, :limit, :count, :user_id, :token_id, :group, :model, :enabled, :now
       WHERE (SELECT COUNT(*) FROM budgets__budgets) < :most
       RETURNING id`,
      { ...valuesOf(body), now, most },
      transaction,
    ),
  )
  return row?.id
}

/** @returns false when there is no such budget */
export async function updateBudget(
  database: DatabaseService,
  id: number,
  body: BudgetBody,
  transaction: Transaction,
): Promise<boolean> {
  const changed = await database.run(
    `UPDATE budgets__budgets SET name = :name, period = :period, amount = :limit, counting = :count, user_id = :user_id,
       token_id = :token_id, group_name = :group, model = :model, is_enabled = :enabled WHERE id = :id`,
    { ...valuesOf(body), id },
    transaction,
  )
  return changed === 1
}

/** @returns false when there is no such budget */
export async function deleteBudget(
  database: DatabaseService,
  id: number,
  transaction: Transaction,
): Promise<boolean> {
  return (
    (await database.run('DELETE FROM budgets__budgets WHERE id = :id', { id }, transaction)) === 1
  )
}

/** @returns undefined when there is no such token any more */
export async function ownerOfToken(
  database: DatabaseService,
  id: number,
): Promise<number | undefined> {
  const [row] = await database.select<{ user_id: number }>(
    'SELECT user_id FROM tokens WHERE id = :id AND deleted_at IS NULL',
    { id },
  )
  return row?.user_id
}
