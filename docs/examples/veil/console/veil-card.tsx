import { Card, formatCount, useTexts } from 'tollgate/console'
import { sumOf, useCounts } from './counts.ts'

export default function VeilCard() {
  const t = useTexts('veil')
  const { data } = useCounts()
  if (data === undefined) return null
  const today = new Date().toISOString().slice(0, 10)
  const hidden = sumOf(data.filter(({ day }) => day === today))
  return (
    <Card title={t('title')} actions={<a href="/veil">{t('more')}</a>}>
      <p data-veil-today>{t('today', { shown: formatCount(hidden) })}</p>
    </Card>
  )
}
