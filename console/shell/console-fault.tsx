import { useRouteError } from 'react-router-dom'
import { ErrorState } from '../kit/states.tsx'
import { culpritOf } from '../registry/culprit.ts'
import { faultText } from '../registry/sound-part.ts'
import { textsOf } from '../texts/use-texts.ts'

/** What was caught by nobody nearer: a part that failed while it went away. The page is drawn anew. */
export function ConsoleFault() {
  const error = useRouteError()
  const t = textsOf()
  const owner = culpritOf(error)
  const message = faultText(error)
  return (
    <main className="page">
      <ErrorState
        title={t('error.screenTitle')}
        message={owner === undefined ? message : t('error.screen', { owner, message })}
        onRetry={() => window.location.reload()}
      />
    </main>
  )
}
