import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Filters } from '../../api/use-filters.ts'
import type { List } from '../../api/use-list.ts'
import { ApiError } from '../../api/client.ts'
import { FilterBar, type FilterField } from './filter-bar.tsx'

const fields: FilterField[] = [
  { kind: 'search', name: 'keyword', label: 'Search' },
  { kind: 'text', name: 'since', label: 'Since' },
]

/** A list whose period is always set, as that of the drawing log. */
function show(changes: { since: string; isFiltered: boolean }) {
  const { since, isFiltered } = changes
  const list = { filters: { keyword: '', since }, isFiltered } as unknown as List<
    object,
    { keyword: string; since: string }
  >
  render(<FilterBar list={list} fields={fields} />)
}

describe('the filters of a list on a phone', () => {
  beforeEach(() => {
    const media = { matches: true, addEventListener: () => {}, removeEventListener: () => {} }
    vi.stubGlobal('matchMedia', () => media)
  })
  afterEach(() => vi.unstubAllGlobals())

  it('are folded where they are those that the list begins with', () => {
    show({ since: '1700000000', isFiltered: false })
    expect(screen.getByLabelText('Search')).toBeTruthy()
    expect(screen.queryByLabelText('Since')).toBeNull()
  })

  it('are shown where somebody chose them', () => {
    show({ since: '1600000000', isFiltered: true })
    expect(screen.getByLabelText('Since')).toBeTruthy()
  })
})

describe('the choices of a filter that cannot be loaded', () => {
  it('say why, and are asked for again when the filter is opened', () => {
    const refresh = vi.fn(() => Promise.resolve())
    const source = { isLoading: false, error: new ApiError('the network is down', 0), refresh }
    const list = { filters: { group: '' }, isFiltered: false } as unknown as List<
      object,
      { group: string }
    >
    const field: FilterField = {
      kind: 'select',
      name: 'group',
      label: 'Group',
      choices: [],
      source,
    }
    render(<FilterBar list={list} fields={[field]} />)
    fireEvent.click(screen.getByRole('combobox'))
    expect(screen.getByRole('alert').textContent).toContain('the network is down')
    expect(refresh).toHaveBeenCalledOnce()
  })
})

describe('a filter by the number of a row', () => {
  const barFor = (channel: string) => {
    const list = { filters: { channel }, isFiltered: true } as unknown as List<
      object,
      { channel: string }
    >
    render(<FilterBar list={list} fields={[{ kind: 'id', name: 'channel', label: 'Channel' }]} />)
    return screen.getByLabelText('Channel')
  }

  it.each(['abc', '0', '-3', '1.5', '1e3', '9999999999999999'])('says that %s is none', (text) => {
    expect(barFor(text).getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByRole('alert').textContent).toMatch(/^Not applied/)
  })

  it.each(['', '12', '007'])('takes "%s"', (text) => {
    expect(barFor(text).getAttribute('aria-invalid')).toBeNull()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('takes digits of full width', () => {
    const field = barFor('')
    fireEvent.change(field, { target: { value: '５' } })
    expect((field as HTMLInputElement).value).toBe('5')
  })
})

describe('a text that is typed on while the list is drawn anew', () => {
  function barFor(setFilters: (changes: object) => void, keyword: string) {
    const list = {
      filters: { keyword, since: '' },
      isFiltered: true,
      setFilters,
      clearFilters: () => undefined,
    }
    return <FilterBar list={list as unknown as List<object, Filters>} fields={fields} />
  }

  afterEach(() => vi.useRealTimers())

  it('keeps its letters, and follows the address when that is changed otherwise', () => {
    vi.useFakeTimers()
    const setFilters = vi.fn()
    const { rerender } = render(barFor(setFilters, ''))
    const input = screen.getByLabelText<HTMLInputElement>('Search')
    const type = (value: string) => fireEvent.input(input, { target: { value } })
    type('ab')
    act(() => void vi.advanceTimersByTime(400))
    expect(setFilters).toHaveBeenLastCalledWith({ keyword: 'ab' })
    type('abc')
    rerender(barFor(setFilters, 'ab'))
    expect(input.value).toBe('abc')
    act(() => void vi.advanceTimersByTime(400))
    expect(setFilters).toHaveBeenLastCalledWith({ keyword: 'abc' })
    rerender(barFor(setFilters, 'abc'))
    // Taken back before the address has it.
    type('abcd')
    act(() => void vi.advanceTimersByTime(400))
    type('abc')
    act(() => void vi.advanceTimersByTime(400))
    expect(setFilters).toHaveBeenLastCalledWith({ keyword: 'abc' })
    for (const keyword of ['ab', '', 'abc']) {
      rerender(barFor(setFilters, keyword))
      expect(input.value).toBe(keyword)
    }
  })

  it('forgets its letters when the address is changed before they are applied', () => {
    vi.useFakeTimers()
    const setFilters = vi.fn()
    const { rerender } = render(barFor(setFilters, 'ab'))
    const input = screen.getByLabelText<HTMLInputElement>('Search')
    fireEvent.input(input, { target: { value: 'abc' } })
    rerender(barFor(setFilters, ''))
    act(() => void vi.advanceTimersByTime(1_000))
    expect(input.value).toBe('')
    expect(setFilters).not.toHaveBeenCalled()
  })

  it('is empty once all filters are cleared, even if the address never had it', () => {
    const setFilters = vi.fn()
    render(barFor(setFilters, ''))
    const input = screen.getByLabelText<HTMLInputElement>('Search')
    fireEvent.input(input, { target: { value: 'abc' } })
    fireEvent.blur(input)
    expect(setFilters).toHaveBeenLastCalledWith({ keyword: 'abc' })
    fireEvent.click(screen.getByRole('button', { name: 'Clear' }))
    expect(input.value).toBe('')
  })

  it('follows the address to a text that was taken back before the address had it', () => {
    vi.useFakeTimers()
    const setFilters = vi.fn()
    const { rerender } = render(barFor(setFilters, 'ab'))
    const input = screen.getByLabelText<HTMLInputElement>('Search')
    for (const value of ['abc', 'ab']) {
      fireEvent.input(input, { target: { value } })
      act(() => void vi.advanceTimersByTime(400))
    }
    fireEvent.blur(input)
    rerender(barFor(setFilters, 'abc'))
    expect(input.value).toBe('abc')
    fireEvent.input(input, { target: { value: '' } })
    act(() => void vi.advanceTimersByTime(1))
    expect(setFilters).toHaveBeenLastCalledWith({ keyword: '' })
  })
})
