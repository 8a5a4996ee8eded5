import { useEffect, useState } from 'react'
import { HomeCards, Loading, useData, useTexts } from '#console'
import { Notice } from './notice.tsx'
import { OperatorPage } from './operator-page.tsx'
import { Welcome } from './welcome.tsx'
import './home.css'

/** How long the page waits for its notice. */
const NOTICE_MS = 3_000

/** The operator's own page, or a welcome with a first call; a notice is shown above either. */
export default function HomeScreen() {
  const t = useTexts('home')
  const content = useData<string>('/api/home_page_content')
  const notice = useData<string>('/api/notice')
  const isLate = useIsLate()
  // Both together: a notice that came later would push the page down. Without an answer the page is worth more than that.
  if (content.isLoading || (notice.isLoading && !isLate)) return <Loading />
  return (
    <div className="home">
      <div className="home-cards">
        <Notice text={notice.data} />
        <HomeCards place="above" />
      </div>
      {content.data ? <OperatorPage content={content.data} title={t('home.frame')} /> : <Welcome />}
      <div className="home-cards">
        <HomeCards place="below" />
      </div>
    </div>
  )
}

function useIsLate(): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), NOTICE_MS)
    return () => clearTimeout(timer)
  }, [])
  return isLate
}
