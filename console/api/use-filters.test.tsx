import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { useFilters } from './use-filters.ts'

afterEach(() => vi.useRealTimers())

function start(address = '/list') {
  const slot: { children?: ReactNode } = {}
  const router = createMemoryRouter([{ path: '*', Component: () => slot.children }], {
    initialEntries: [address],
  })
  const wrapper = ({ children }: { children: ReactNode }) => {
    slot.children = children
    return <RouterProvider router={router} />
  }
  const { result } = renderHook(() => useFilters(defaults, { status: ['1', '2'] }), { wrapper })
  const set = (changes: { keyword?: string; status?: string }) =>
    act(async () => result.current.setFilters(changes))
  return { router, set, result }
}

const defaults = { keyword: '', status: '', start_timestamp: '', order: '' }

describe('filters in the address', () => {
  it('that can be none are left out, and the first page stands for one that is none', () => {
    const bad = start(`/list?status=abc&keyword=${'x'.repeat(300)}&start_timestamp=x&order=up&p=-1`)
    expect(bad.result.current).toMatchObject({ filters: defaults, isFiltered: false, page: 1 })
    const good = start('/list?status=2&keyword=x&start_timestamp=17&order=asc&p=3')
    expect(good.result.current).toMatchObject({
      filters: { status: '2', keyword: 'x', start_timestamp: '17', order: 'asc' },
      page: 3,
    })
    expect(start('/list?p=99999999999999999999').result.current.page).toBe(1)
  })

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
