import { create } from 'zustand'
import { readStored, readStoredJson, writeStored } from './storage.ts'
import { hasTyped, hasUnsaved } from './unsaved.ts'
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
  /** The person has signed out in another tab while something was typed here, which is asked about before it is dropped. */
  isLeft: boolean
  /** Somebody else has signed in in another tab while something was typed here, which stays the former user's. */
  successor: SessionUser | undefined
  /** How often this page has become somebody else's: each time it is drawn anew. */
  handovers: number
  signIn(user: SessionUser): void
  /** What the server says of the person by now: an admin may have changed the role or the group. */
  renew(account: Pick<SessionUser, 'id' | 'role' | 'group'>): void
  signOut(): void
  expire(): void
  /** Gives up what was typed here, and is signed out as in the other tabs. */
  leave(): void
  /** Looks who has signed in in another tab meanwhile: over typed words that is the successor, elsewhere the page becomes his. */
  meetOther(): void
  /** Hands the page to whom the other tabs have signed in; false: that is who is here already, or nobody. */
  handOver(): boolean
}

const key = 'user'
/** Tells the other tabs that the server ended the session, not the person. */
const expiredKey = 'session-expired'

export const useSession = create<SessionStore>()((set, get) => ({
  user: readUser(),
  isExpired: false,
  isLeft: false,
  successor: undefined,
  handovers: 0,
  signIn(user) {
    writeStored(expiredKey, undefined)
    writeStored(key, JSON.stringify(user))
    set({ user, isExpired: false, isLeft: false, successor: undefined })
  },
  renew({ id, role, group }) {
    const { user } = get()
    if (user?.id !== id || (user.role === role && user.group === group)) return
    const renewed = { ...user, role, group }
    writeStored(key, JSON.stringify(renewed))
    set({ user: renewed })
  },
  signOut() {
    writeStored(expiredKey, undefined)
    writeStored(key, undefined)
    set({ user: undefined, isExpired: false, isLeft: false, successor: undefined })
  },
  expire() {
    writeStored(expiredKey, 'true')
    writeStored(key, undefined)
    set({ user: undefined, isExpired: true, isLeft: false, successor: undefined })
  },
  leave() {
    set({ user: undefined, isExpired: false, isLeft: false, successor: undefined })
  },
  meetOther() {
    const { user: before, handOver } = get()
    const user = readUser()
    if (!user || !before || user.id === before.id) return
    // Calls go on naming the former user, so that the server refuses to save one's words as another's.
    if (hasTyped()) set({ successor: user, isLeft: false })
    else handOver()
  },
  handOver() {
    const { user: before, handovers } = get()
    const user = readUser()
    if (!user || user.id === before?.id) return false
    const isNow = { user, isExpired: false, isLeft: false, successor: undefined }
    set({ ...isNow, handovers: handovers + 1 })
    return true
  },
}))

// All tabs share one session: what another of them did with it holds here too. Without a key everything was cleared.
globalThis.addEventListener?.('storage', (event) => {
  if (event.key !== key && event.key !== null) return
  const user = readUser()
  const isExpired = !user && readStored(expiredKey) !== undefined
  // Another tab noticed first that the session has ended. Unsaved input stays here, and the next call asks for the password.
  if (isExpired && hasUnsaved()) return
  const { user: before, meetOther } = useSession.getState()
  if (user && before && user.id !== before.id) meetOther()
  else if (!user && before && hasUnsaved()) useSession.setState({ isLeft: true })
  else useSession.setState({ user, isExpired, isLeft: false, successor: undefined })
})

function readUser(): SessionUser | undefined {
  const user = readStoredJson<Partial<SessionUser> | null>(key)
  if (!user || typeof user.id !== 'number' || typeof user.role !== 'number') return undefined
  return { username: '', group: 'default', ...user, id: user.id, role: user.role }
}

/** Levels of the console, lowest first. `options`: whoever may change settings, admins or the super admin alone (OPTION_MIN_ROLE). */
export type Access = 'public' | 'user' | 'admin' | 'options' | 'root'

/** The value of the last status, which may be that of the last visit. */
let optionMinRole: number =
  readStoredJson<{ option_min_role?: number } | null>('status')?.option_min_role ?? role.admin

export function setOptionMinRole(minimum: number | undefined): void {
  optionMinRole = minimum ?? role.admin
}

export function mayAccess(user: SessionUser | undefined, access: Access): boolean {
  if (access === 'public') return true
  return (user?.role ?? 0) >= (access === 'options' ? optionMinRole : role[access])
}

/** Whether the person in front of the screen is an admin or above. */
export function useIsAdmin(): boolean {
  return useSession(({ user }) => mayAccess(user, 'admin'))
}
