// What the first screen needs is on its way while the frame's words are: one wait instead of four, one after the other.
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
  // Whoever takes the answer hears of a failure.
  early.catch(() => undefined)
  loadLikelyScreen(location.pathname)
}

/** The server's status, as it is on its way; asked for anew from the second time on. */
export function firstStatus(): Promise<void> {
  const answer = early ?? askServer()
  early = undefined
  return answer
}

/** Which plugins are on, the registry says itself. */
function askServer(): Promise<void> {
  void useRegistry.getState().load()
  return useStatusStore.getState().load()
}

/** The code and the words of the screen at the address, or of the one that a visitor is led to. It is loaded by the router again, which says what fails. */
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
