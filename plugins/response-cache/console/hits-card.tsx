import { Link } from 'react-router-dom'
import { FigureCard, formatPercent, Quota, useTexts } from '#console'
import { rateOf, sumsOf, useCacheFigures } from './figures.ts'

/** The hit rate of the last seven days, and what it saved. */
export default function HitsCard() {
  const t = useTexts('response-cache')
  const { data } = useCacheFigures()
  if (!data) return null
  const sums = sumsOf(data, 7)
  const rate = rateOf(sums)
  return (
    <FigureCard
      title={t('card.title')}
      actions={<Link to="/response-cache">{t('card.more')}</Link>}
      value={rate === undefined ? '–' : formatPercent(rate)}
      hint={
        rate === undefined ? (
          t('card.none')
        ) : (
          <>
            {t('card.saved')} <Quota units={sums.saved} />
          </>
        )
      }
    />
  )
}
