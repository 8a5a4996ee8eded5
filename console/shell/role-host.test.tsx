import { QueryClientProvider } from '@tanstack/react-query'
import { render, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../api/query-client.ts'
import { useSession } from '../stores/session.ts'
import { RoleHost } from './role-host.tsx'

const ada = { id: 7, username: 'ada', display_name: 'Ada', role: 1, group: 'default' }
const stored = () => JSON.parse(localStorage.getItem('user') ?? '{}') as typeof ada

function answer(account: object) {
  const fetched = vi.fn(async () => Response.json({ success: true, message: '', data: account }))
  vi.stubGlobal('fetch', fetched)
  render(
    <QueryClientProvider client={queryClient}>
      <RoleHost />
    </QueryClientProvider>,
  )
  return fetched
}

beforeEach(() => useSession.getState().signIn(ada))
afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
  useSession.getState().signOut()
})

it('gives a person the role that an admin has given since the sign-in', async () => {
  answer({ id: 7, username: 'ada', role: 10, group: 'vip', quota: 5 })
  const now = { ...ada, role: 10, group: 'vip' }
  await waitFor(() => expect(useSession.getState().user).toEqual(now))
  expect(stored()).toEqual(now)
})

it('leaves the person alone whom another tab has signed in meanwhile', async () => {
  const fetched = answer({ id: 8, username: 'bob', role: 100, group: 'default' })
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  expect(fetched).toHaveBeenCalledOnce()
  expect(useSession.getState().user).toEqual(ada)
})
