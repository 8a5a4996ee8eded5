// Admins list and edit budgets; users read those that limit them.
import type { AccountService, Caller, ClusterBus, DatabaseService, TokenService } from '#core'
import { type BudgetSums, type Sum, unitsOf } from './budget-sums.ts'
import { deleteBudget, insertBudget, ownerOfToken, updateBudget } from './budgets-sql.ts'
import { budgetUnknown, tokenUnknown, tooMany, userUnknown } from './budget-errors.ts'
import {
  type BudgetBody,
  type BudgetList,
  MOST_BUDGETS,
  type OwnBudget,
  type OwnBudgets,
  type ShownBudget,
} from './schema.ts'
import { BUDGETS_CHANGED, type Spending } from './spending.ts'
import { deleteSpent, lowerWarnings } from './spent-sql.ts'

export interface BudgetServices {
  database: DatabaseService
  cluster: Pick<ClusterBus, 'publish'>
  accounts: Pick<AccountService, 'find'>
  tokens: Pick<TokenService, 'list'>
}

const MOST_OWN_TOKENS = 100

export function listBudgets(
  spending: Spending,
  keyword: string,
  { page, pageSize }: { page: number; pageSize: number },
): BudgetList {
  const word = keyword.trim().toLowerCase()
  const found = [...spending.all()].filter(
    ({ budget }) => word === '' || budget.name.toLowerCase().includes(word),
  )
  const shown = found.slice((page - 1) * pageSize, page * pageSize)
  return {
    items: shown.map(shownBudget),
    total: found.length,
    time_zone: spending.calendar.timeZone,
  }
}

function shownBudget(sums: BudgetSums): ShownBudget {
  const now = Date.now()
  const { start, end } = sums.spanAt(now)
  const all = [...sums.sums(now)]
  const most = all.reduce<Sum | undefined>(
    (best, sum) => (!best || unitsOf(sum) > unitsOf(best) ? sum : best),
    undefined,
  )
  return {
    ...sums.budget,
    used: most ? unitsOf(most) : 0,
    most_used_by: most?.key.subject ?? 0,
    exhausted: all.filter((sum) => unitsOf(sum) >= sums.budget.limit).length,
    begins_at: start / 1000,
    ends_at: end / 1000,
  }
}

/** @throws budgets.user_unknown, budgets.token_unknown, budgets.too_many */
export async function addBudget(
  services: BudgetServices,
  spending: Spending,
  body: BudgetBody,
): Promise<number> {
  await checkNamed(services, body)
  const now = Math.floor(Date.now() / 1000)
  const id = await insertBudget(services.database, trimmed(body), { now, most: MOST_BUDGETS })
  if (id === undefined) throw tooMany()
  await announce(services, spending)
  return id
}

/** The sums so far are kept, unless the budget counts something else from now on.
 *  @throws budgets.unknown, budgets.user_unknown, budgets.token_unknown */
export async function editBudget(
  services: BudgetServices,
  spending: Spending,
  { id, body }: { id: number; body: BudgetBody },
): Promise<void> {
  const old = [...spending.all()].find(({ budget }) => budget.id === id)?.budget
  if (!old) throw budgetUnknown()
  await checkNamed(services, body, old)
  const next = trimmed(body)
  const asksOther = (['period', 'count', 'user_id', 'token_id', 'group', 'model'] as const).some(
    (name) => old[name] !== next[name],
  )
  await services.database.transaction(async (transaction) => {
    if (!(await updateBudget(services.database, id, next, transaction))) throw budgetUnknown()
    if (asksOther) await deleteSpent(services.database, id, transaction)
    else await lowerWarnings(services.database, { budgetId: id, limit: next.limit }, transaction)
  })
  await announce(services, spending, asksOther ? id : undefined)
}

/** @throws budgets.unknown */
export async function removeBudget(
  services: BudgetServices,
  spending: Spending,
  id: number,
): Promise<void> {
  await services.database.transaction(async (transaction) => {
    if (!(await deleteBudget(services.database, id, transaction))) throw budgetUnknown()
    await deleteSpent(services.database, id, transaction)
  })
  await announce(services, spending, id)
}

/** Tells all nodes. The bus does not wait for them; this node has applied the change before its admin gets an answer. */
async function announce(
  { cluster }: BudgetServices,
  spending: Spending,
  forgotten?: number,
): Promise<void> {
  await cluster.publish(BUDGETS_CHANGED, forgotten === undefined ? {} : { forgotten })
  await spending.reload(forgotten)
}

/** Names that an existing budget already has may stay, even if they no longer exist. @throws budgets.user_unknown, budgets.token_unknown */
async function checkNamed(
  { accounts, database }: BudgetServices,
  { user_id, token_id }: BudgetBody,
  old?: BudgetBody,
): Promise<void> {
  if (old?.user_id === user_id && old.token_id === token_id) return
  if (user_id > 0 && !(await accounts.find(user_id))) throw userUnknown({}, { field: 'user_id' })
  if (token_id === 0) return
  const owner = await ownerOfToken(database, token_id)
  if (owner === undefined || (user_id > 0 && owner !== user_id))
    throw tokenUnknown({}, { field: 'token_id' })
}

function trimmed(body: BudgetBody): BudgetBody {
  return { ...body, name: body.name.trim(), group: body.group.trim(), model: body.model.trim() }
}

/** Budgets that count only the caller, or one of the caller's tokens. A shared budget would reveal what others spend. */
export async function ownBudgets(
  { tokens }: BudgetServices,
  spending: Spending,
  caller: Pick<Caller, 'id' | 'group'>,
): Promise<OwnBudgets> {
  const time_zone = spending.calendar.timeZone
  if (spending.isEmpty) return { items: [], time_zone }
  const own = await tokens.list(caller.id, { offset: 0, limit: MOST_OWN_TOKENS })
  const tokenIds = own.items.map(({ id }) => id)
  const items = [...spending.all()].flatMap((sums) => ownOf(sums, caller, tokenIds))
  return { items, time_zone }
}

function ownOf(
  sums: BudgetSums,
  caller: Pick<Caller, 'id' | 'group'>,
  tokenIds: readonly number[],
): OwnBudget[] {
  const { budget } = sums
  const isOthers =
    !budget.enabled ||
    (budget.user_id > 0 && budget.user_id !== caller.id) ||
    (budget.token_id > 0 && !tokenIds.includes(budget.token_id))
  if (isOthers) return []
  const isShared = budget.count === 'all' && budget.user_id === 0 && budget.token_id === 0
  if (isShared) return []
  const now = Date.now()
  const { end } = sums.spanAt(now)
  const shown = (subject: number, token_id: number): OwnBudget => {
    const { id, name, period, limit, group, model } = budget
    const used = sums.used(subject, now)
    return { id, name, period, limit, used, token_id, group, model, ends_at: end / 1000 }
  }
  if (budget.count !== 'token') {
    const one = shown(budget.count === 'user' ? caller.id : 0, budget.token_id)
    // Leaves out budgets of groups that the caller does not use.
    return budget.group === '' || budget.group === caller.group || one.used > 0 ? [one] : []
  }
  const counted = budget.token_id > 0 ? [budget.token_id] : tokenIds
  return counted.map((token) => shown(token, token)).filter(({ used }) => used > 0)
}
