import { useRouteError } from 'react-router-dom'
import { ErrorState } from '../kit/states.tsx'
import { culpritOf } from '../registry/culprit.ts'
import { faultText } from '../registry/sound-part.ts'
import { textsOf } from '../texts/use-texts.ts'

/** The last error boundary, for errors that no inner one caught, such as those thrown while a part is removed. The
 *  page is rendered again. */
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
