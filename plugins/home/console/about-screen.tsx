import { EmptyState, ErrorState, Loading, useData, useTexts } from '#console'
import { OperatorPage } from './operator-page.tsx'

export default function AboutScreen() {
  const t = useTexts('home')
  const about = useData<string>('/api/about')
  if (about.error)
    return <ErrorState message={about.error.message} onRetry={() => void about.refresh()} />
  if (about.isLoading) return <Loading />
  if (!about.data) return <EmptyState title={t('about.empty')} hint={t('about.emptyHint')} />
  return <OperatorPage content={about.data} />
}
