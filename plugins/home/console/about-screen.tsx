import { Link } from 'react-router-dom'
import { EmptyState, ErrorState, Loading, useCanVisit, useData, useTexts } from '#console'
import { OperatorPage } from './operator-page.tsx'

export default function AboutScreen() {
  const t = useTexts('home')
  const canWrite = useCanVisit('/setting')
  const about = useData<string>('/api/about')
  if (about.error)
    return <ErrorState message={about.error.message} onRetry={() => void about.refresh()} />
  if (about.isLoading) return <Loading />
  if (!about.data?.trim()) {
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
  return <OperatorPage content={about.data} title={t('about.title')} />
}
