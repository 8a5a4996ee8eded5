import { beforeEach, describe, expect, it } from 'vitest'
import { useSession } from './session.ts'

const ada = { id: 7, username: 'ada', role: 1, group: 'default' }

/** What the browser tells this tab when another one wrote to local storage. */
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

  it('remembers that the server ended it until the next sign-in', () => {
    useSession.getState().signIn(ada)
    useSession.getState().expire()
    expect(useSession.getState()).toMatchObject({ user: undefined, isExpired: true })
    expect(localStorage.getItem('user')).toBeNull()
    useSession.getState().signIn(ada)
    expect(useSession.getState().isExpired).toBe(false)
  })
})
