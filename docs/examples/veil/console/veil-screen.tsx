import {
  Card,
  EmptyState,
  ErrorState,
  formatCount,
  Loading,
  Page,
  useTexts,
} from 'tollgate/console'
import { type DayCount, sumOf, useCounts } from './counts.ts'

export default function VeilScreen() {
  const t = useTexts('veil')
  const counts = useCounts()
  return (
    <Page title={t('title')} hint={t('hint')} width="text">
      {counts.error ? (
        <ErrorState message={counts.error.message} onRetry={() => void counts.refresh()} />
      ) : counts.data === undefined ? (
        <Loading />
      ) : counts.data.length === 0 ? (
        <Card>
          <EmptyState
            title={t('empty')}
            hint={t('emptyHint')}
            action={<a href="/setting?tab=operation#section-veil">{t('settings')}</a>}
          />
        </Card>
      ) : (
        days(counts.data).map(([day, ofDay]) => <Day key={day} day={day} counts={ofDay} />)
      )}
    </Page>
  )
}

function days(counts: readonly DayCount[]): [string, DayCount[]][] {
  const byDay = new Map<string, DayCount[]>()
  for (const count of counts) byDay.set(count.day, [...(byDay.get(count.day) ?? []), count])
  return [...byDay]
}

function Day({ day, counts }: { day: string; counts: readonly DayCount[] }) {
  const t = useTexts('veil')
  return (
    <Card title={day} hint={t('sum', { count: sumOf(counts) })}>
      <dl
        style={{
          display: 'grid',
          gridTemplateColumns: 'max-content 1fr',
          gap: '4px 16px',
          margin: 0,
        }}
      >
        {counts.flatMap(({ kind, hidden }) => [
          <dt key={kind}>{t(`kinds.${kind}`)}</dt>,
          <dd key={`${kind} count`} style={{ margin: 0 }}>
            {formatCount(hidden)}
          </dd>,
        ])}
      </dl>
    </Card>
  )
}
