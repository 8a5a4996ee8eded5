import { lazy, type ComponentType } from 'react'
import { createBrowserRouter } from 'react-router-dom'
import { onSessionExpired } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import type { Owned, Screen } from '../registry/console-plugin.ts'
import { useSession } from '../stores/session.ts'
import { Shell } from './shell.tsx'

// One route for everything: which screens there are is known only when the server has said which plugins are on.
export const router = createBrowserRouter([{ path: '*', element: <Shell /> }])

onSessionExpired(() => {
  useSession.getState().signOut()
  queryClient.clear()
  if (router.state.location.pathname !== '/login') void router.navigate('/login?expired=true')
})

const components = new WeakMap<Screen['load'], ComponentType>()

/** The screen's component, loaded when it is first drawn; one a loader, so that a change of plugins keeps open screens as they are. */
export function componentOf(screen: Owned<Screen>): ComponentType {
  const known = components.get(screen.load)
  if (known) return known
  const component = lazy(screen.load)
  components.set(screen.load, component)
  return component
}
