import { createBrowserRouter } from 'react-router-dom'
import { onFactorRequired, onSessionExpired, setProof, setSessionRenewal } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { takeBackQuestion } from '../kit/confirm.tsx'
import { toast } from '../kit/toast.ts'
import { useSession } from '../stores/session.ts'
import { i18n } from '../texts/instance.ts'
import { textsOf } from '../texts/use-texts.ts'
import { expiredAddress } from './guard.tsx'
import { prove } from './prove.tsx'
import { ConsoleFault } from './console-fault.tsx'
import { followPlugins } from './follow-plugins.ts'
import { Shell } from './shell.tsx'
import { signInAgain } from './sign-in-again.tsx'

// There is a single route, because the screens are known only after the server has said which plugins are on.
export const router = createBrowserRouter([
  { path: '*', element: <Shell />, errorElement: <ConsoleFault /> },
])

setSessionRenewal(signInAgain)
setProof(prove)

const factorAddress = '/second-factor'
onFactorRequired(() => {
  if (router.state.location.pathname !== factorAddress) void router.navigate(factorAddress)
})

onSessionExpired(() => {
  const { successor, handOver, expire } = useSession.getState()
  // The user chose to keep the page, for the text that was typed on it.
  if (successor) return
  // Refused because another user has signed in: the session continues as that user's.
  if (handOver()) return
  expire()
  // On pages for users the guard navigates; this is for public pages. It is deferred, so that no open drawer asks
  // about unsaved changes.
  window.setTimeout(() => {
    if (router.state.location.pathname !== '/login') void router.navigate(expiredAddress)
  })
})

followPlugins()

// Answers hold sentences: names of settings, notes of log rows.
i18n.on('languageChanged', () => void queryClient.invalidateQueries())
i18n.on('failedLoading', () => toast.error(textsOf()('error.unreachable')))

useSession.subscribe(({ user, handovers }, before) => {
  if (user?.id === before.user?.id) return
  takeBackQuestion()
  if (user && handovers > before.handovers) {
    toast.warning(textsOf()('handover.done', { name: user.username }))
  }
  // Cached data of one user must not be shown to the next. Mounted queries are fetched again.
  if (user) void queryClient.resetQueries()
  else queryClient.clear()
})
