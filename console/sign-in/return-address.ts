// Where somebody was when his session ended, so that he is back there once he has signed in again. Any other sign-in leads to the page that it
// always leads to. In the storage of the tab, because a sign-in at another site leaves the page.
import { matchPath } from 'react-router-dom'
import { useRegistry } from '../registry/registry.ts'
import { mayAccess, useSession } from '../stores/session.ts'

const key = 'return-address'

interface Ended {
  path: string
  /** Whose session had ended. */
  userId: number
}

export function keepReturnAddress(place: Ended | undefined): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(place ?? null))
  } catch {
    // Where the browser stores nothing, the sign-in leads to the usual page.
  }
}

/** Where the user who has just signed in goes on: the kept address, once, or else this one. What another user had open is not his. */
export function takeReturnAddress(usual: string): string {
  const kept = takeKept()
  const { user } = useSession.getState()
  if (!kept || kept.userId !== user?.id) return usual
  const [pathname = ''] = kept.path.split(/[?#]/, 1)
  const screen = useRegistry.getState().screens.find(({ path }) => matchPath(path, pathname))
  return screen && mayAccess(user, screen.access ?? 'user') ? kept.path : usual
}

function takeKept(): Ended | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    sessionStorage.removeItem(key)
    return isEnded(kept) ? kept : undefined
  } catch {
    return undefined
  }
}

function isEnded(kept: unknown): kept is Ended {
  return typeof (kept as Ended | null)?.path === 'string'
}
