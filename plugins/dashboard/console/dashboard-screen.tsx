import { Button } from '@arco-design/web-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import {
  Card,
  EmptyState,
  ErrorState,
  formatCount,
  formatExact,
  formatQuota,
  formatTime,
  Loading,
  Page,
  Quota,
  type QuotaStyle,
  RefreshButton,
  useIsAdmin,
  useQuotaStyle,
  useTexts,
} from '#console'
import type { ChartInput } from './chart-spec.ts'
import { DataTableOf } from './data-table-of.tsx'
import { Legend } from './legend.tsx'
import { chartData, type ChartData, type Measure } from './series.ts'
import { stepsOf, timeLabel } from './span.ts'
import { Switch } from './switch.tsx'
import { Toolbar } from './toolbar.tsx'
import { useDataRows } from './use-data-rows.ts'
import { UserRanking } from './user-ranking.tsx'
import { kinds, measures, useView, type View } from './view.ts'
import './dashboard.css'

const Chart = lazy(() => import('./chart.tsx'))

/** Has the height of the chart, so that nothing jumps when the chart is loaded. */
function ChartToCome() {
  return (
    <div className="chart">
      <Loading />
    </div>
  )
}

/** In a browser without a canvas, the legend and the table show the same figures. */
const canDraw = Boolean(document.createElement('canvas').getContext('2d'))

export default function DashboardScreen() {
  const t = useTexts('dashboard')
  const isAdmin = useIsAdmin()
  const view = useView()
  const { rows, countedAt, isStopped, modelCount, error, isRefreshing, refresh } = useDataRows(view)
  const renew = () => {
    view.renew()
    refresh()
  }
  const { measure, step, span } = view
  const times = useMemo(
    () => stepsOf({ start: span.start, end: span.end }, step),
    [span.start, span.end, step],
  )
  const data = useMemo(
    () => chartData(rows ?? [], measure, times, modelCount),
    [rows, measure, times, modelCount],
  )
  return (
    <Page
      title={t('title')}
      hint={
        countedAt > 0
          ? t('counted', { time: formatTime(countedAt) })
          : t(rows ? 'notCounted' : 'sums')
      }
      actions={<RefreshButton label={t('refresh')} isRefreshing={isRefreshing} onClick={renew} />}
    >
      {isStopped ? (
        <p className="tone-warning" role="status">
          {t('stopped')}
        </p>
      ) : null}
      <Toolbar view={view} />
      {error && !rows ? (
        <ErrorState message={error} onRetry={refresh} />
      ) : rows ? (
        <>
          {error ? (
            <p className="tone-danger" role="alert">
              {error}
            </p>
          ) : null}
          <Totals data={data} />
          <ChartCard view={view} data={data} />
          {isAdmin && !view.username ? <UserRanking view={view} /> : null}
        </>
      ) : (
        <Loading />
      )}
    </Page>
  )
}

function Totals({ data: { totals, modelCount } }: { data: ChartData }) {
  const t = useTexts('dashboard')
  return (
    <dl className="dashboard-totals">
      <div className="card">
        <dt>{t('measure.quota')}</dt>
        <dd>
          <Quota units={totals.quota} />
        </dd>
      </div>
      <div className="card">
        <dt>{t('measure.count')}</dt>
        <dd className="number" title={formatExact(totals.count)}>
          {formatCount(totals.count)}
        </dd>
      </div>
      <div className="card">
        <dt>{t('measure.token_used')}</dt>
        <dd className="number" title={formatExact(totals.token_used)}>
          {formatCount(totals.token_used)}
        </dd>
      </div>
      <div className="card">
        <dt>{t('models')}</dt>
        <dd className="number">{formatExact(modelCount)}</dd>
      </div>
    </dl>
  )
}

function ChartCard({ view, data }: { view: View; data: ChartData }) {
  const t = useTexts('dashboard')
  return (
    <Card
      className="dashboard-chart"
      title={t(`kind.${view.kind}`)}
      actions={
        <div className="dashboard-switches">
          <Switch
            label={t('measureLabel')}
            choices={measures}
            value={view.measure}
            nameOf={(name) => t(`measure.${name}`)}
            onChange={(name) => view.change({ measure: name })}
          />
          <Switch
            label={t('kindLabel')}
            choices={kinds}
            value={view.kind}
            nameOf={(name) => t(`kindShort.${name}`)}
            onChange={(name) => view.change({ kind: name })}
          />
        </div>
      }
    >
      {data.series.length === 0 ? (
        <EmptyState title={t('empty')} hint={t('emptyHint')} action={<Longer view={view} />} />
      ) : (
        <ChartViews view={view} data={data} />
      )}
    </Card>
  )
}

/** The same figures as a chart, as its legend, and as a table on request. */
function Longer({ view }: { view: View }) {
  const t = useTexts('dashboard')
  if (view.range === '30d') return null
  return (
    <Button onClick={() => view.change({ range: '30d', start_timestamp: '', end_timestamp: '' })}>
      {t('showMonth')}
    </Button>
  )
}

function ChartViews({ view: { kind, measure, step }, data }: { view: View; data: ChartData }) {
  const t = useTexts('dashboard')
  const style = useQuotaStyle()
  const [isTable, setTable] = useState(false)
  const input = useMemo<ChartInput>(
    () => ({
      kind,
      data,
      labels: data.times.map((time) => timeLabel(time, step)),
      nameOf: (model) => model ?? t('other'),
      ...formatsOf(measure, style.inCurrency, style.quotaPerUnit),
    }),
    [kind, data, step, measure, t, style.inCurrency, style.quotaPerUnit],
  )
  const label = t('chartLabel', { kind: t(`kind.${kind}`), measure: t(`measure.${measure}`) })
  return (
    <>
      {canDraw ? (
        <Suspense fallback={<ChartToCome />}>
          <Chart input={input} label={label} />
        </Suspense>
      ) : null}
      <Legend input={input} />
      <Button type="text" aria-expanded={isTable} onClick={() => setTable(!isTable)}>
        {t(isTable ? 'hideData' : 'showData')}
      </Button>
      {isTable ? <DataTableOf input={input} /> : null}
    </>
  )
}

function formatsOf(measure: Measure, inCurrency: boolean, quotaPerUnit: number) {
  const style: QuotaStyle = { inCurrency, quotaPerUnit }
  if (measure === 'quota') {
    const short = (value: number) => formatQuota(value, style)
    return { shortOf: short, exactOf: short }
  }
  return { shortOf: formatCount, exactOf: formatExact }
}
