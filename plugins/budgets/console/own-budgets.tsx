import { Card, Quota, Time, useData, useTexts } from '#console'
import type { OwnBudget, OwnBudgets as Own } from '../schema.ts'
import { scopeOf } from './budget.ts'
import { UsedBar } from './used-bar.tsx'
import './budgets.css'

const everyMs = 30_000

/** The budgets that limit whoever looks; nothing where there are none. */
export default function OwnBudgets() {
  const t = useTexts('budgets')
  const { data } = useData<Own>('/api/budgets/self', { refetchEveryMs: everyMs })
  if (!data || data.items.length === 0) return null
  return (
    <Card title={t('own.title')} hint={t('own.hint', { zone: data.time_zone })}>
      <ul className="budget-list">
        {data.items.map((budget) => (
          <OwnRow key={`${budget.id}-${budget.token_id}`} budget={budget} />
        ))}
      </ul>
    </Card>
  )
}

function OwnRow({ budget }: { budget: OwnBudget }) {
  const t = useTexts('budgets')
  return (
    <li>
      <div className="budget-words">
        <strong className="cut-text">{budget.name}</strong>
        <span className="muted">
          <Quota units={budget.limit} /> {t(`per.${budget.period}`)}
          {' · '}
          {scopeOf({ ...budget, user_id: 0 }, t)}
        </span>
        <span className="muted">
          {t('own.renews')} <Time seconds={budget.ends_at} />
        </span>
      </div>
      <UsedBar budget={budget} />
    </li>
  )
}
