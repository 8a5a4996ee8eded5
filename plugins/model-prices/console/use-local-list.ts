import { useState } from 'react'
import { type ApiError, type List, usePreferences } from '#console'

/** For a list inside a page. Its state is not in the address, which belongs to the page. */
export type NameFilter = { name: string }

interface Source<T> {
  rows: readonly T[]
  isLoading: boolean
  error: ApiError | undefined
  refresh(): Promise<void>
}

/** Searches and pages rows that are loaded as a whole. */
export function useLocalList<T extends { name: string }>(source: Source<T>): List<T, NameFilter> {
  const { pageSize, setPageSize } = usePreferences()
  const [name, setName] = useState('')
  const [page, setPage] = useState(1)
  const words = name.trim().toLowerCase()
  const found = source.rows.filter((row) => row.name.toLowerCase().includes(words))
  const last = Math.max(1, Math.ceil(found.length / pageSize))
  const shown = Math.min(page, last)
  const filterBy = (text: string) => {
    setName(text)
    setPage(1)
  }
  return {
    rows: found.slice((shown - 1) * pageSize, shown * pageSize),
    total: found.length,
    isTotalExact: true,
    hasNextPage: shown < last,
    page: shown,
    setPage,
    pageSize,
    setPageSize,
    filters: { name },
    isFiltered: words !== '',
    setFilters: (changes) => filterBy(changes.name ?? ''),
    clearFilters: () => filterBy(''),
    isLoading: source.isLoading,
    isRefreshing: false,
    error: source.error,
    refresh: source.refresh,
    // Prices are saved in their drawers, several maps at a time.
    change: () => Promise.resolve(false),
  }
}
