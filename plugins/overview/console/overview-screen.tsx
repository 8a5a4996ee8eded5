import {
  ErrorState,
  Loading,
  Page,
  useIsAdmin,
  useOwnModels,
  useOwnTokens,
  useTexts,
  Widgets,
} from '#console'
import { useAdminOverview, useOwnOverview } from './use-overview.ts'
import './overview.css'

/** What is going on and what to do next, as cards that plugins contribute; this plugin's own cards are among them. */
export default function OverviewScreen() {
  const t = useTexts('overview')
  const isAdmin = useIsAdmin()
  const own = useOwnOverview()
  const all = useAdminOverview()
  const failed = [own, all].find(({ error, data }) => error && !data)
  // The cards are shown together, because one that arrives later would push the others down.
  const beside = [useOwnTokens(), useOwnModels()]
  const isLoading =
    !own.data || (isAdmin && !all.data) || beside.some(({ data, error }) => !data && !error)
  return (
    <Page title={t('title')} hint={t(isAdmin ? 'hintAdmin' : 'hint')} width="text">
      {failed?.error ? (
        <ErrorState message={failed.error.message} onRetry={() => void failed.refresh()} />
      ) : isLoading ? (
        <Loading />
      ) : (
        <Widgets />
      )}
    </Page>
  )
}
