import { create } from 'zustand'
import { readStored, readStoredJson, writeStored } from './storage.ts'
import { hasUnsaved } from './unsaved.ts'
import { role } from '../../core/contract/constants.ts'

/** Who is signed in, as the sign-in answered. The server checks every call again; this decides what is shown. */
export interface SessionUser {
  id: number
  username: string
  display_name?: string
  role: number
  status?: number
  group: string
}

interface SessionStore {
  user: SessionUser | undefined
  /** The server ended the session: the sign-in page says so. */
  isExpired: boolean
  signIn(user: SessionUser): void
  signOut(): void
  expire(): void
}

const key = 'user'
/** Tells the other tabs that the server ended the session, not the person. */
const expiredKey = 'session-expired'

export const useSession = create<SessionStore>()((set) => ({
  user: readUser(),
  isExpired: false,
  signIn(user) {
    writeStored(expiredKey, undefined)
    writeStored(key, JSON.stringify(user))
    set({ user, isExpired: false })
  },
  signOut() {
    writeStored(expiredKey, undefined)
    writeStored(key, undefined)
    set({ user: undefined, isExpired: false })
  },
  expire() {
    writeStored(expiredKey, 'true')
    writeStored(key, undefined)
    set({ user: undefined, isExpired: true })
  },
}))

// All tabs share one session: what another of them did with it holds here too. Without a key everything was cleared.
globalThis.addEventListener?.('storage', (event) => {
  if (event.key !== key && event.key !== null) return
  const user = readUser()
  const isExpired = !user && readStored(expiredKey) !== undefined
  // What is typed here is not lost to a tab that noticed first: the next call asks for the password.
  if (isExpired && hasUnsaved()) return
  useSession.setState({ user, isExpired })
})

function readUser(): SessionUser | undefined {
  const user = readStoredJson<Partial<SessionUser> | null>(key)
  if (!user || typeof user.id !== 'number' || typeof user.role !== 'number') return undefined
  return { username: '', group: 'default', ...user, id: user.id, role: user.role }
}

/** Levels of the console, lowest first. */
export type Access = 'public' | 'user' | 'admin' | 'root'

const minimumRole = { public: 0, ...role } as const

export function mayAccess(user: SessionUser | undefined, access: Access): boolean {
  return access === 'public' || (user?.role ?? 0) >= minimumRole[access]
}

/** Whether the person in front of the screen is an admin or above. */
export function useIsAdmin(): boolean {
  return useSession(({ user }) => mayAccess(user, 'admin'))
}
