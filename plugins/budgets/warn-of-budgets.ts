import { type PluginServices, quotaText, type Text } from '#core'
import { type BudgetSums, type Sum, unitsOf } from './budget-sums.ts'
import { heights } from './schema.ts'
import { takeWarning } from './spent-sql.ts'

type Services = Pick<PluginServices, 'database' | 'notifications' | 'options' | 'log'>

/** Notifies the owner of a budget once for each percentage and period, whichever node notices. */
export async function warnOfBudget(services: Services, sums: BudgetSums, sum: Sum): Promise<void> {
  const percent = (unitsOf(sum) / sums.budget.limit) * 100
  const height = heights.find((one) => percent >= one)
  if (height === undefined || sum.warnedPercent >= height) return
  try {
    sum.warnedPercent = height
    if (await takeWarning(services.database, sum.key, height))
      await notify(services, sums, sum, height)
  } catch (error) {
    services.log.warn({ err: error, budget: sums.budget.id }, 'a warning of a budget was not sent')
  }
}

async function notify(
  services: Services,
  sums: BudgetSums,
  sum: Sum,
  height: number,
): Promise<void> {
  const { name, limit } = sums.budget
  const isOver = height === 100
  const title: Text = isOver
    ? { en: 'A budget is used up', zh: '预算已用完' }
    : { en: 'A budget is nearly used up', zh: '预算即将用完' }
  const notice = {
    kind: isOver ? 'budget_exhausted' : 'budget_low',
    title,
    content: {
      en: 'Of the budget "{{value}}", {{value}} of {{value}} are used. It renews on {{value}}.',
      zh: '预算“{{value}}”已使用 {{value}}，上限 {{value}}，将于 {{value}} 重新开始。',
    },
    values: [
      name,
      quotaText(unitsOf(sum), services.options),
      quotaText(limit, services.options),
      sums.renewsAt(sum),
    ],
  }
  const userId = ownerOf(sums, sum)
  if (userId > 0) await services.notifications.notify(userId, notice)
  // Shared budgets are for admins to raise.
  else await services.notifications.notifyAdmins(notice)
}

/** 0 if it is shared. */
function ownerOf({ budget }: BudgetSums, { key, userId }: Sum): number {
  if (budget.user_id > 0) return budget.user_id
  if (budget.count === 'user') return key.subject
  return budget.count === 'token' || budget.token_id > 0 ? userId : 0
}
