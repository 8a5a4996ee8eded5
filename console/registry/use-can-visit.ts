import { mayAccess, useSession } from '../stores/session.ts'
import { useRegistry } from './registry.ts'

/** Whether a screen exists at this address and the user may see it. Show a link to it only then. */
export function useCanVisit(path: string): boolean {
  const user = useSession((session) => session.user)
  const screen = useRegistry(({ screens }) => screens.find((one) => one.path === path))
  return screen !== undefined && mayAccess(user, screen.access ?? 'user')
}
