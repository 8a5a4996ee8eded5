import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { useFilters } from './use-filters.ts'

afterEach(() => vi.useRealTimers())

function start() {
  const slot: { children?: ReactNode } = {}
  const router = createMemoryRouter([{ path: '*', Component: () => slot.children }], {
    initialEntries: ['/list'],
  })
  const wrapper = ({ children }: { children: ReactNode }) => {
    slot.children = children
    return <RouterProvider router={router} />
  }
  const { result } = renderHook(() => useFilters({ keyword: '', status: '' }), { wrapper })
  const set = (changes: { keyword?: string; status?: string }) =>
    act(async () => result.current.setFilters(changes))
  return { router, set }
}

describe('filters in the address', () => {
  it('are a step back each, and what is typed at one go is one step', async () => {
    const { router, set } = start()
    await set({ status: '1' })
    await set({ keyword: 'g' })
    await set({ keyword: 'gp' })
    expect(router.state.location.search).toBe('?status=1&keyword=gp')
    await act(async () => router.navigate(-1))
    expect(router.state.location.search).toBe('?status=1')
    await act(async () => router.navigate(-1))
    expect(router.state.location.search).toBe('')
  })
})
