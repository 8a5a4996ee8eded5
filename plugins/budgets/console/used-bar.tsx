import { Progress, Quota, type Texts, useTexts } from '#console'
import { percentOf, warnPercent } from './budget.ts'
import './budgets.css'

/** How much of a budget is used, as an amount and a bar. */
export function UsedBar({
  budget,
  hint,
}: {
  budget: { used: number; limit: number; name: string }
  hint?: string | undefined
}) {
  const t = useTexts('budgets')
  const percent = percentOf(budget)
  return (
    <span className="budget-used">
      <span className="budget-amount">
        <Quota units={budget.used} />
        {hint ? <span className="muted">{hint}</span> : null}
      </span>
      <Progress
        percent={percent}
        label={t('usedOf', { name: budget.name })}
        fault={faultOf(percent, t)}
      />
    </span>
  )
}

function faultOf(percent: number, t: Texts): string | undefined {
  if (percent < warnPercent) return undefined
  return percent < 100 ? t('nearlyUsed') : t('status.exhausted')
}
