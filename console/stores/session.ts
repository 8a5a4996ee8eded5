import { create } from 'zustand'
import { readStored, readStoredJson, writeStored } from './storage.ts'
import { hasTyped, hasUnsaved } from './unsaved.ts'
import { role } from '../../core/contract/constants.ts'

/** The signed-in user, as returned by the sign-in. Only decides what is shown: the server checks every call. */
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
  /** True if the server has ended the session, which the sign-in page then says. */
  isExpired: boolean
  /** Whose session that was. */
  expiredId: number | undefined
  /** The user has signed out in another tab while this one has unsaved input, so it asks before discarding that. */
  isLeft: boolean
  /** Another user has signed in in another tab while this one has unsaved input, which still belongs to the previous user. */
  successor: SessionUser | undefined
  /** Counts changes of the user; each one renders the page anew. */
  handovers: number
  signIn(user: SessionUser): void
  /** Updates the user from the server's current data: an admin may have changed role or group. */
  renew(account: Pick<SessionUser, 'id' | 'role' | 'group'>): void
  signOut(): void
  expire(): void
  /** Discards unsaved input, and signs out as in the other tabs. */
  leave(): void
  /** Checks who has signed in in another tab. With unsaved input, that user is kept as the successor; otherwise the page switches to that user. */
  meetOther(): void
  /** Switches the page to the user of the other tabs. @returns false if that is the current user, or nobody */
  handOver(): boolean
}

const key = 'user'
/** Local storage key by which other tabs learn that the server, not the user, has ended the session. */
const expiredKey = 'session-expired'

export const useSession = create<SessionStore>()((set, get) => ({
  user: readUser(),
  isExpired: false,
  expiredId: undefined,
  isLeft: false,
  successor: undefined,
  handovers: 0,
  signIn(user) {
    writeStored(expiredKey, undefined)
    writeStored(key, JSON.stringify(user))
    set({ user, isExpired: false, expiredId: undefined, isLeft: false, successor: undefined })
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
    const isNow = { user: undefined, isLeft: false, successor: undefined }
    set({ ...isNow, isExpired: false, expiredId: undefined })
  },
  expire() {
    writeStored(expiredKey, 'true')
    writeStored(key, undefined)
    const { user: before, expiredId } = get()
    set({
      user: undefined,
      isExpired: true,
      // Several calls learn of it at once, the later ones when nobody is signed in any more.
      expiredId: before?.id ?? expiredId,
      isLeft: false,
      successor: undefined,
    })
  },
  leave() {
    set({ user: undefined, isExpired: false, isLeft: false, successor: undefined })
  },
  meetOther() {
    const { user: before, handOver } = get()
    const user = readUser()
    if (!user || !before || user.id === before.id) return
    // Calls keep sending the previous user's id, so that the server refuses to save that user's input as another's.
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

// All tabs share one session, so changes by other tabs apply here, too. An event without a key means that everything was cleared.
globalThis.addEventListener?.('storage', (event) => {
  if (event.key !== key && event.key !== null) return
  const user = readUser()
  const isExpired = !user && readStored(expiredKey) !== undefined
  // Another tab has noticed first that the session has ended. Unsaved input is kept, and the next call asks for the password.
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

/** Access levels, lowest first. `options`: users who may change settings, which are admins or only the super admin (OPTION_MIN_ROLE). */
export type Access = 'public' | 'user' | 'admin' | 'options' | 'root'

/** From the last status, which may be that of the last visit. */
let optionMinRole: number =
  readStoredJson<{ option_min_role?: number } | null>('status')?.option_min_role ?? role.admin

export function setOptionMinRole(minimum: number | undefined): void {
  optionMinRole = minimum ?? role.admin
}

export function mayAccess(user: SessionUser | undefined, access: Access): boolean {
  if (access === 'public') return true
  return (user?.role ?? 0) >= (access === 'options' ? optionMinRole : role[access])
}

/** Whether the user is an admin or the super admin. */
export function useIsAdmin(): boolean {
  return useSession(({ user }) => mayAccess(user, 'admin'))
}
