// Requests the data and code of the first screen while the texts of the frame are loading, so that they are waited
// for once and not one after the other.
import { matchPath } from 'react-router-dom'
import { useRegistry } from '../registry/registry.ts'
import { builtInPlugins } from '../registry/discover.ts'
import { usePreferences } from '../stores/preferences.ts'
import { mayAccess, useSession } from '../stores/session.ts'
import { useStatusStore } from '../stores/status.ts'
import { pluginTexts } from '../texts/i18n.ts'

let early: Promise<void> | undefined

export function startEarly(): void {
  early = askServer()
  // Whoever uses the answer handles its failure.
  early.catch(() => undefined)
  loadLikelyScreen(location.pathname)
}

/** The status of the server: the first call uses the early request, later calls send a new one. */
export function firstStatus(): Promise<void> {
  const answer = early ?? askServer()
  early = undefined
  return answer
}

/** Requests the status and the list of plugins; the registry keeps the list itself. */
function askServer(): Promise<void> {
  void useRegistry.getState().load()
  return useStatusStore.getState().load()
}

/** Loads the code and the texts of the screen at this address, or of the one to which a visitor is led. The router
 *  loads it again and reports failures. */
function loadLikelyScreen(pathname: string): void {
  const { user } = useSession.getState()
  const all = Object.entries(builtInPlugins()).flatMap(([owner, { screens = [] }]) =>
    screens.map((screen) => ({ ...screen, owner })),
  )
  const at = (address: string) => all.find(({ path }) => matchPath(path, address))
  const wanted = at(pathname)
  const screen = wanted && mayAccess(user, wanted.access ?? 'user') ? wanted : at('/login')
  if (!screen) return
  const { language } = usePreferences.getState()
  Promise.all([screen.load(), pluginTexts(screen.owner, language)]).catch(() => undefined)
}
