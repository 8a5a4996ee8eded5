import { useCallback, useLayoutEffect, useMemo, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'

/** Changes of one filter that follow each other this fast are one step of the history. */
const oneChoiceMs = 2_000

export type Filters = Record<string, string>

/** What a filter may be, where not every text will do. Bounds of a period, the order and lengths are known by themselves. */
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
  /** `isCorrection`: the page before was none; Back does not lead to it. */
  setPage(page: number, isCorrection?: boolean): void
}

/** They change the order of a list, not what is in it. */
const orderNames: ReadonlySet<string> = new Set(['sort', 'order'])

/** As long as the fields of the bar take, and far behind the last page of anything. */
const longestText = 200
const lastPage = 1_000_000

/**
 * Filters and page of a list, held in the address: what a person might share. Defaults stay out of it. Of a value that cannot be
 * one, as of an old or mistyped link, the default stands.
 */
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

/** Whether a change goes on with the one before it: Back undoes one choice, and what is typed letter by letter is one. */
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
  // The router hands every change the parameters of the last drawing: two changes in one go would lose the first.
  const latest = useRef(search)
  useLayoutEffect(() => {
    latest.current = search
  }, [search])
  const setSearch = useCallback(
    (change: (current: URLSearchParams) => URLSearchParams, options?: { replace: boolean }) => {
      latest.current = change(latest.current)
      // Other rows are no other page: whoever turns a list below other things stays with it.
      navigateTo(latest.current, { ...options, preventScrollReset: true })
    },
    [navigateTo],
  )
  return [search, setSearch]
}
