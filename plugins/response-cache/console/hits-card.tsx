import { Link } from 'react-router-dom'
import { Card, formatPercent, Quota, useTexts } from '#console'
import { rateOf, sumsOf, useCacheFigures } from './figures.ts'
import './cache.css'

/** How many questions of the last seven days were answered from the cache, and what that saved. */
export default function HitsCard() {
  const t = useTexts('response-cache')
  const { data } = useCacheFigures()
  if (!data) return null
  const sums = sumsOf(data, 7)
  const rate = rateOf(sums)
  return (
    <Card
      className="cache-card"
      title={t('card.title')}
      actions={<Link to="/response-cache">{t('card.more')}</Link>}
    >
      <p className="cache-figure number">{rate === undefined ? '–' : formatPercent(rate)}</p>
      <p className="muted">
        {rate === undefined ? (
          t('card.none')
        ) : (
          <>
            {t('card.saved')} <Quota units={sums.saved} />
          </>
        )}
      </p>
    </Card>
  )
}
