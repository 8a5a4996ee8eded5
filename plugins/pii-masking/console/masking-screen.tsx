import { Link } from 'react-router-dom'
import { Card, formatExact, Loaded, Page, TableScroll, useCanVisit, useTexts } from '#console'
import type { MaskingFigures } from '../schema.ts'
import { sumsOf, useMaskingFigures } from './figures.ts'
import { TrialCard } from './trial-card.tsx'
import './masking.css'

export default function MaskingScreen() {
  const t = useTexts('pii-masking')
  const figures = useMaskingFigures()
  const canSet = useCanVisit('/setting')
  return (
    <Page
      title={t('title')}
      hint={t('hint')}
      actions={
        canSet ? <Link to="/setting?tab=operation#pii-masking">{t('toSettings')}</Link> : undefined
      }
    >
      <Loaded from={figures}>
        {(found) => (
          <>
            <FoundCard figures={found} />
            <TrialCard />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function FoundCard({ figures }: { figures: MaskingFigures }) {
  const t = useTexts('pii-masking')
  const { week, month } = figures.calls
  const calls = t('found.calls', { week: formatExact(week), month: formatExact(month) })
  return (
    <Card title={t('found.title')} hint={calls} isFlush>
      <TableScroll label={t('found.title')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('found.kind')}</th>
              {(['today', 'week', 'month'] as const).map((span) => (
                <th key={span} scope="col" className="align-right">
                  {t(`found.${span}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sumsOf(figures).map(({ kind, ...sums }) => (
              <tr key={kind}>
                <th scope="row">{t(`kind.${kind}`)}</th>
                {(['today', 'week', 'month'] as const).map((span) => (
                  <td key={span} className="align-right number">
                    {formatExact(sums[span])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </Card>
  )
}
