import { Link } from 'react-router-dom'
import { EmptyState, Loaded, useCanVisit, useData, useTexts } from '#console'
import { OperatorPage } from './operator-page.tsx'

export default function AboutScreen() {
  const t = useTexts('home')
  const about = useData<string>('/api/about')
  return (
    <Loaded from={about}>
      {(content) =>
        content.trim() ? (
          <OperatorPage content={content} title={t('about.title')} />
        ) : (
          <NotWritten />
        )
      }
    </Loaded>
  )
}

function NotWritten() {
  const t = useTexts('home')
  const canWrite = useCanVisit('/setting')
  return (
    <EmptyState
      isPage
      title={t('about.empty')}
      hint={canWrite ? t('about.emptyHint') : undefined}
      action={
        canWrite ? (
          <Link className="button-link" to="/setting?tab=other">
            {t('about.write')}
          </Link>
        ) : undefined
      }
    />
  )
}
