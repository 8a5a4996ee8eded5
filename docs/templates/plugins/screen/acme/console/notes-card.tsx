import { Card, useTexts } from 'tollgate/console'
import { useNotes } from './notes.ts'

export default function NotesCard() {
  const t = useTexts('acme')
  const { data } = useNotes()
  if (data === undefined) return null
  return (
    <Card title={t('title')}>
      <p>{data[0]?.text ?? t('empty')}</p>
    </Card>
  )
}
