import { Button } from '@arco-design/web-react'
import { Link } from 'react-router-dom'
import {
  api,
  Card,
  confirm,
  formatExact,
  formatPercent,
  Loaded,
  Page,
  Quota,
  TableScroll,
  toast,
  useAction,
  useCanVisit,
  useTexts,
} from '#console'
import type { CacheFigures } from '../schema.ts'
import { rateOf, sumsOf, useCacheFigures } from './figures.ts'

export default function CacheScreen() {
  const t = useTexts('response-cache')
  const figures = useCacheFigures()
  const canSet = useCanVisit('/setting')
  return (
    <Page
      title={t('title')}
      hint={t('hint')}
      actions={
        canSet ? (
          <Link to="/setting?tab=operation#response-cache">{t('toSettings')}</Link>
        ) : undefined
      }
    >
      <Loaded from={figures}>
        {(kept) => (
          <>
            <SpansCard figures={kept} />
            <KeptCard figures={kept} refresh={figures.refresh} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

const spans = [
  ['today', 1],
  ['week', 7],
  ['month', 30],
] as const

function SpansCard({ figures }: { figures: CacheFigures }) {
  const t = useTexts('response-cache')
  return (
    <Card title={t('spans.title')} hint={t('spans.hint')} isFlush>
      <TableScroll label={t('spans.title')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('spans.span')}</th>
              {(['rate', 'hits', 'misses', 'saved'] as const).map((name) => (
                <th key={name} scope="col" className="align-right">
                  {t(`spans.${name}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {spans.map(([name, days]) => (
              <SpanRow key={name} title={t(`spans.${name}`)} sums={sumsOf(figures, days)} />
            ))}
          </tbody>
        </table>
      </TableScroll>
    </Card>
  )
}

function SpanRow({ title, sums }: { title: string; sums: ReturnType<typeof sumsOf> }) {
  const rate = rateOf(sums)
  return (
    <tr>
      <th scope="row">{title}</th>
      <td className="align-right number">{rate === undefined ? '–' : formatPercent(rate)}</td>
      <td className="align-right number">{formatExact(sums.hits)}</td>
      <td className="align-right number">{formatExact(sums.misses)}</td>
      <td className="align-right number">
        <Quota units={sums.saved} />
      </td>
    </tr>
  )
}

function KeptCard({ figures, refresh }: { figures: CacheFigures; refresh: () => Promise<void> }) {
  const t = useTexts('response-cache')
  const [clear, isClearing] = useAction(async () => {
    const isSure = await confirm(() => ({
      title: t('clear.title'),
      content: t('clear.text'),
      confirmLabel: t('clear.button'),
      isDanger: true,
    }))
    if (!isSure) return
    await api.post('/api/response-cache/clear', {})
    toast.success(t('clear.done'))
    await refresh()
  })
  return (
    <Card
      title={t('kept.title')}
      hint={t('kept.hint')}
      actions={
        <Button
          status="danger"
          loading={isClearing}
          disabled={figures.entries === 0}
          onClick={() => void clear()}
        >
          {t('clear.button')}
        </Button>
      }
    >
      <p>
        {t('kept.facts', {
          count: figures.entries,
          used: megabytes(figures.bytes),
          most: megabytes(figures.most_bytes),
        })}
      </p>
    </Card>
  )
}

function megabytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(1)
}
