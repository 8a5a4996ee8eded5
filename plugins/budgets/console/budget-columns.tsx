import { type Column, Quota, StatusTag, type Texts, Time } from '#console'
import type { ShownBudget } from '../schema.ts'
import { scopeOf } from './budget.ts'
import { UsedBar } from './used-bar.tsx'

export function budgetColumns(t: Texts): Column<ShownBudget>[] {
  return [
    {
      id: 'name',
      title: t('column.name'),
      isTitle: true,
      render: ({ name }) => <span className="cut-text">{name}</span>,
    },
    {
      id: 'status',
      title: t('column.status'),
      card: 'status',
      render: (budget) => <Status budget={budget} t={t} />,
    },
    {
      id: 'scope',
      title: t('column.scope'),
      render: (budget) => (
        <span className="cut-text" title={scopeOf(budget, t)}>
          {scopeOf(budget, t)}
        </span>
      ),
    },
    {
      id: 'count',
      title: t('column.count'),
      render: ({ count }) => <span className="budget-short">{t(`counted.${count}`)}</span>,
    },
    {
      id: 'limit',
      title: t('column.limit'),
      card: 'fact',
      render: ({ limit, period }) => (
        <span className="budget-short">
          <Quota units={limit} /> {t(`per.${period}`)}
        </span>
      ),
    },
    {
      id: 'used',
      title: t('column.used'),
      card: 'fact',
      render: (budget) => <UsedBar budget={budget} hint={mostUsed(budget, t)} />,
    },
    {
      id: 'renews',
      title: t('column.renews'),
      render: ({ ends_at }) => <Time seconds={ends_at} />,
    },
  ]
}

function Status({ budget: { enabled, exhausted, count }, t }: { budget: ShownBudget; t: Texts }) {
  if (!enabled) return <StatusTag tone="off">{t('status.off')}</StatusTag>
  if (exhausted === 0) return <StatusTag tone="success">{t('status.on')}</StatusTag>
  return (
    <StatusTag tone="danger">
      {count === 'all' ? t('status.exhausted') : t('status.exhaustedBy', { count: exhausted })}
    </StatusTag>
  )
}

function mostUsed({ count, most_used_by: id }: ShownBudget, t: Texts): string | undefined {
  return count === 'all' || id === 0 ? undefined : t(`most.${count}`, { id })
}
