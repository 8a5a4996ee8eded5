import { Card, Loading, RichText, useData, useTexts } from '#console'
import { OperatorPage } from './operator-page.tsx'
import { Welcome } from './welcome.tsx'
import './home.css'

/** The operator's own page, else a welcome that says how to make a first call; a notice stands above either. */
export default function HomeScreen() {
  const t = useTexts('home')
  const content = useData<string>('/api/home_page_content')
  if (content.isLoading) return <Loading />
  return (
    <div className="home">
      <Notice />
      {content.data ? <OperatorPage content={content.data} title={t('home.frame')} /> : <Welcome />}
    </div>
  )
}

function Notice() {
  const t = useTexts('home')
  const notice = useData<string>('/api/notice')
  if (!notice.data?.trim()) return null
  return (
    <Card title={t('home.notice')} className="home-notice">
      <RichText text={notice.data} />
    </Card>
  )
}
