import { Card, RichText, useTexts } from '#console'

/** The operator's notice, above everything else of the home page. */
export function Notice({ text }: { text: string | undefined }) {
  const t = useTexts('home')
  if (!text?.trim()) return null
  return (
    <Card title={t('home.notice')}>
      <RichText text={text} />
    </Card>
  )
}
