import { mayAccess, useSession } from '../stores/session.ts'
import { useRegistry } from './registry.ts'

/** Whether there is a screen at this address, and for whoever is in front: a link elsewhere would lead to nothing. */
export function useCanVisit(path: string): boolean {
  const user = useSession((session) => session.user)
  const screen = useRegistry(({ screens }) => screens.find((one) => one.path === path))
  return screen !== undefined && mayAccess(user, screen.access ?? 'user')
}
