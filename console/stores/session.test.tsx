import { beforeEach, describe, expect, it } from 'vitest'
import { mayAccess, setOptionMinRole, useSession } from './session.ts'
import { watchUnsaved } from './unsaved.ts'

const ada = { id: 7, username: 'ada', role: 1, group: 'default' }

/** The event that this tab gets when another one has written to local storage. */
function otherTabWrites(user: object | undefined) {
  if (user) localStorage.setItem('user', JSON.stringify(user))
  else localStorage.removeItem('user')
  window.dispatchEvent(new StorageEvent('storage', { key: 'user' }))
}

beforeEach(() => useSession.getState().signOut())

describe('the session of all tabs', () => {
  it('follows a sign-in in another tab', () => {
    otherTabWrites(ada)
    expect(useSession.getState().user).toMatchObject({ id: 7, role: 1 })
  })

  it('ends when another tab signs out, which is no expiry', () => {
    useSession.getState().signIn(ada)
    otherTabWrites(undefined)
    expect(useSession.getState()).toMatchObject({ user: undefined, isExpired: false })
  })

  it('is asked about when another tab signs out over something that is not saved here', () => {
    useSession.getState().signIn(ada)
    const forget = watchUnsaved({ current: true })
    otherTabWrites(undefined)
    expect(useSession.getState()).toMatchObject({ user: { id: 7 }, isLeft: true })
    otherTabWrites(ada)
    expect(useSession.getState()).toMatchObject({ user: { id: 7 }, isLeft: false })
    otherTabWrites(undefined)
    useSession.getState().leave()
    const left = { user: undefined, isLeft: false, isExpired: false }
    expect(useSession.getState()).toMatchObject(left)
    forget()
  })

  describe('that another tab found ended by the server', () => {
    /** The other tab's console, which shares local storage and nothing else. */
    const otherTabExpires = () => {
      localStorage.setItem('session-expired', 'true')
      otherTabWrites(undefined)
    }

    it('is over here too, and is called expired', () => {
      useSession.getState().signIn(ada)
      otherTabExpires()
      expect(useSession.getState()).toMatchObject({ user: undefined, isExpired: true })
    })

    it('goes on until the next call where something is typed and not saved', () => {
      useSession.getState().signIn(ada)
      const forget = watchUnsaved({ current: true })
      otherTabExpires()
      expect(useSession.getState().user).toMatchObject({ id: 7 })
      otherTabWrites({ ...ada, role: 10 })
      expect(useSession.getState().user).toMatchObject({ role: 10 })
      forget()
    })
  })

  describe('when somebody else signs in in another tab', () => {
    const bob = { id: 8, username: 'bob', role: 1, group: 'default' }
    const typeInto = (value: string) => {
      const field = document.createElement('input')
      document.body.append(field)
      field.value = value
      field.dispatchEvent(new Event('input', { bubbles: true }))
      return field
    }

    it('makes the page his, drawn anew, where nothing is typed', () => {
      useSession.getState().signIn(ada)
      const { handovers } = useSession.getState()
      otherTabWrites(bob)
      const session = useSession.getState()
      expect(session).toMatchObject({ user: { id: 8 }, successor: undefined })
      expect(session.handovers).toBe(handovers + 1)
    })

    it('keeps naming the one who typed, until he is back or gives it up', () => {
      useSession.getState().signIn(ada)
      const field = typeInto('half a sentence')
      otherTabWrites(bob)
      expect(useSession.getState()).toMatchObject({ user: { id: 7 }, successor: { id: 8 } })
      otherTabWrites(ada)
      expect(useSession.getState()).toMatchObject({ user: { id: 7 }, successor: undefined })
      otherTabWrites(bob)
      expect(useSession.getState().handOver()).toBe(true)
      expect(useSession.getState()).toMatchObject({ user: { id: 8 }, successor: undefined })
      field.remove()
    })

    it('does not count what was typed and emptied again, or is gone', () => {
      useSession.getState().signIn(ada)
      const emptied = typeInto('')
      typeInto('gone').remove()
      otherTabWrites(bob)
      expect(useSession.getState().user).toMatchObject({ id: 8 })
      emptied.remove()
    })
  })

  it('lets change settings whom the server lets', () => {
    const admin = { ...ada, role: 10 }
    expect(mayAccess(admin, 'options')).toBe(true)
    setOptionMinRole(100)
    expect(mayAccess(admin, 'options')).toBe(false)
    expect(mayAccess({ ...ada, role: 100 }, 'options')).toBe(true)
    expect(mayAccess(admin, 'admin')).toBe(true)
    setOptionMinRole(undefined)
    expect(mayAccess(ada, 'options')).toBe(false)
  })

  it('remembers that the server ended it until the next sign-in', () => {
    useSession.getState().signIn(ada)
    useSession.getState().expire()
    expect(useSession.getState()).toMatchObject({ user: undefined, isExpired: true })
    expect(localStorage.getItem('user')).toBeNull()
    useSession.getState().signIn(ada)
    expect(useSession.getState().isExpired).toBe(false)
  })
})
