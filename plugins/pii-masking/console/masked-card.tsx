import { Link } from 'react-router-dom'
import { FigureCard, formatExact, useTexts } from '#console'
import { sumsOf, useMaskingFigures } from './figures.ts'

/** How much was hidden in the last seven days, and which kind of data most often. */
export default function MaskedCard() {
  const t = useTexts('pii-masking')
  const { data } = useMaskingFigures()
  if (!data) return null
  const sums = sumsOf(data).filter(({ week }) => week > 0)
  const all = sums.reduce((sum, { week }) => sum + week, 0)
  const most = sums.toSorted((one, other) => other.week - one.week).slice(0, 3)
  return (
    <FigureCard
      title={t('card.title')}
      actions={<Link to="/pii-masking">{t('card.more')}</Link>}
      value={formatExact(all)}
      hint={
        all === 0
          ? t('card.none')
          : most.map(({ kind, week }) => `${t(`kind.${kind}`)} ${formatExact(week)}`).join(' · ')
      }
    />
  )
}
