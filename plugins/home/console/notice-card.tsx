import { Card, RichText, useData, useTexts } from '#console'

/** The operator's notice, above the home page. */
export default function NoticeCard() {
  const t = useTexts('home')
  const notice = useData<string>('/api/notice')
  if (!notice.data?.trim()) return null
  return (
    <Card title={t('home.notice')}>
      <RichText text={notice.data} />
    </Card>
  )
}
