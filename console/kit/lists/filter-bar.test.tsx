import { render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { List } from '../../api/use-list.ts'
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
