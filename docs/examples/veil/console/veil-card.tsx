import { useState } from 'react'
import { Card, formatCount, useTexts } from 'tollgate/console'
import { sumOf, useCounts } from './counts.ts'

export default function VeilCard() {
  const t = useTexts('veil')
  const { data } = useCounts()
  const [today] = useState(() => new Date().toISOString().slice(0, 10))
  if (data === undefined) return null
  const hidden = sumOf(data.filter(({ day }) => day === today))
  return (
    <Card title={t('title')} actions={<a href="/veil">{t('more')}</a>}>
      <p data-veil-today>{t('today', { shown: formatCount(hidden) })}</p>
    </Card>
  )
}
