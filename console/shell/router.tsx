import { createBrowserRouter } from 'react-router-dom'
import { onFactorRequired, onSessionExpired, setProof, setSessionRenewal } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { takeBackQuestion } from '../kit/confirm.tsx'
import { toast } from '../kit/toast.ts'
import { useSession } from '../stores/session.ts'
import { textsOf } from '../texts/use-texts.ts'
import { expiredAddress } from './guard.tsx'
import { prove } from './prove.tsx'
import { ConsoleFault } from './console-fault.tsx'
import { followPlugins } from './follow-plugins.ts'
import { Shell } from './shell.tsx'
import { signInAgain } from './sign-in-again.tsx'

// One route for everything: which screens there are is known only when the server has said which plugins are on.
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
  // Kept open by choice for what is typed on it.
  if (successor) return
  // Refused because somebody else is signed in by now: the session goes on, as his.
  if (handOver()) return
  expire()
  // Where a user is needed the guard leads away by itself; this is for the public pages. Later, so that it finds no drawer that asks to stay.
  window.setTimeout(() => {
    if (router.state.location.pathname !== '/login') void router.navigate(expiredAddress)
  })
})

followPlugins()

useSession.subscribe(({ user, handovers }, before) => {
  if (user?.id === before.user?.id) return
  takeBackQuestion()
  if (user && handovers > before.handovers) {
    toast.warning(textsOf()('handover.done', { name: user.username }))
  }
  // What was read for one user is not the next one's to see; what is on the screen is read anew.
  if (user) void queryClient.resetQueries()
  else queryClient.clear()
})
