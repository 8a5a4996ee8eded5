import { useCallback, useLayoutEffect, useMemo, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'

/** Changes of one filter that follow each other this quickly are one step in the history. */
const oneChoiceMs = 2_000

export type Filters = Record<string, string>

/** Which values a filter accepts, if not any text. Bounds of periods, orders and lengths are known without it. */
export type Accepts<F extends Filters> = {
  readonly [Name in keyof F]?: readonly string[] | 'number'
}

export interface FilterState<F extends Filters> {
  filters: F
  /** Whether any filter differs from its default. */
  isFiltered: boolean
  setFilters(changes: Partial<F>): void
  clearFilters(): void
  page: number
  /** `isCorrection`: the previous page does not exist, so Back must not lead to it. */
  setPage(page: number, isCorrection?: boolean): void
}

/** These change the order of a list, not its contents. */
const orderNames: ReadonlySet<string> = new Set(['sort', 'order'])

/** Limits for values in the address: the length that fields of the filter bar accept, and a page beyond the end of any list. */
const longestText = 200
const lastPage = 1_000_000

/** The filters and the page of a list, stored in the address so that people can share them. Defaults are left out of
 *  the address. Invalid values, as in an old or mistyped link, count as the default. */
export function useFilters<F extends Filters>(
  defaults: F,
  accepts: Accepts<F> = {},
): FilterState<F> {
  const [search, setSearch] = useAddress()
  const goesOn = useGoesOn()
  const key = JSON.stringify(defaults)
  const rules = JSON.stringify(accepts)
  const filters = useMemo(() => {
    return filtersIn(search, JSON.parse(key) as F, JSON.parse(rules) as Accepts<F>)
  }, [key, rules, search])

  const setFilters = useCallback(
    (changes: Partial<F>) => {
      const base = JSON.parse(key) as F
      const isSame = goesOn(Object.keys(changes).join())
      setSearch(
        (current) => {
          const next = new URLSearchParams(current)
          for (const [name, value] of Object.entries(changes)) {
            if (value === undefined || value === base[name]) next.delete(name)
            else next.set(name, value)
          }
          next.delete('p')
          return next
        },
        { replace: isSame },
      )
    },
    [key, setSearch, goesOn],
  )
  const setPage = useCallback(
    (page: number, isCorrection = false) => {
      setSearch(
        (current) => {
          const next = new URLSearchParams(current)
          if (page > 1) next.set('p', String(page))
          else next.delete('p')
          return next
        },
        { replace: isCorrection },
      )
    },
    [setSearch],
  )
  return {
    filters,
    isFiltered: Object.entries(JSON.parse(key) as F).some(
      ([name, value]) => !orderNames.has(name) && filters[name] !== value,
    ),
    setFilters,
    clearFilters: () => setFilters(JSON.parse(key) as F),
    page: pageOf(search.get('p')),
    setPage,
  }
}

function filtersIn<F extends Filters>(search: URLSearchParams, base: F, known: Accepts<F>): F {
  const filters = Object.entries(base).map(([name, fallback]) => {
    const value = search.get(name)
    return [name, value !== null && canBe(name, value, known[name]) ? value : fallback]
  })
  return Object.fromEntries(filters) as F
}

function canBe(name: string, value: string, accepted: readonly string[] | 'number' | undefined) {
  if (value === '') return true
  if (accepted === 'number') return /^\d{1,15}$/.test(value)
  if (accepted) return accepted.includes(value)
  if (/^(start|end)(_timestamp)?$/.test(name)) return /^\d{1,11}$/.test(value)
  if (name === 'order') return value === 'asc' || value === 'desc'
  return value.length <= longestText
}

function pageOf(text: string | null): number {
  const page = Number.parseInt(text ?? '1', 10)
  return page >= 1 && page <= lastPage ? page : 1
}

/** Whether a change continues the previous one, so that Back undoes one choice instead of single letters. */
function useGoesOn(): (names: string) => boolean {
  const lately = useRef({ names: '', at: Number.NEGATIVE_INFINITY })
  return useCallback((names) => {
    const now = performance.now()
    const { current } = lately
    lately.current = { names, at: now }
    return names === current.names && now - current.at < oneChoiceMs
  }, [])
}

type SetAddress = (
  change: (current: URLSearchParams) => URLSearchParams,
  options?: { replace: boolean },
) => void

function useAddress(): [URLSearchParams, SetAddress] {
  const [search, navigateTo] = useSearchParams()
  // The router gives every change the parameters of the last render: of two changes in one turn, the first would be lost.
  const latest = useRef(search)
  useLayoutEffect(() => {
    latest.current = search
  }, [search])
  const setSearch = useCallback(
    (change: (current: URLSearchParams) => URLSearchParams, options?: { replace: boolean }) => {
      latest.current = change(latest.current)
      // Other rows do not count as another page: the scroll position stays, for lists that are below other things.
      navigateTo(latest.current, { ...options, preventScrollReset: true })
    },
    [navigateTo],
  )
  return [search, setSearch]
}
