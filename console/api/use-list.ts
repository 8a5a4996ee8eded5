import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { usePreferences } from '../stores/preferences.ts'
import { api, type ApiError, type CountHeader, type QueryValues } from './client.ts'
import { reportError } from './use-action.ts'
import { asApiError } from './use-data.ts'
import { type Accepts, type Filters, type FilterState, useFilters } from './use-filters.ts'

/** `paged`: `{items,total}`. `array`: a bare array, one page of it. `whole`: a bare array with everything, paged here. */
export type ListShape = 'paged' | 'array' | 'whole'

export interface ListOptions<F extends Filters = Filters, T extends object = object> {
  /** Names and defaults of the filters; they live in the address and go into the query when not empty. */
  filters?: F
  /** What they may be, where not every text will do. */
  accepts?: Accepts<F>
  shape?: ListShape
  /** The number by which this call names the first page. */
  firstPage?: 0 | 1
  sizeParameter?: 'page_size' | 'size'
  /** Another call for when filters are set (`/api/token/search`). */
  search?: { path: string; shape?: ListShape; when: (filters: F) => boolean }
  /** Sent with every call; not in the address. */
  fixed?: QueryValues
  refetchEveryMs?: number
  /** Turns the rows of an answer into those of the list, before pages are cut: grouping, filtering a list that comes whole. */
  arrange?: (rows: T[], filters: F) => T[]
  /** What the call carries of the filters; left out: all of them, under their own names. */
  toQuery?: (filters: F) => QueryValues
  /** Of a list that comes whole: which of its rows are shown, in which order. Applied to what is there, without a call. */
  narrow?: (rows: readonly T[], filters: F) => T[]
}

export interface List<T, F extends Filters = Filters> {
  rows: readonly T[]
  /** Undefined while a bare array does not tell. */
  total: number | undefined
  /** False: there are more than `total`; the server stopped counting. */
  isTotalExact: boolean
  hasNextPage: boolean
  page: number
  setPage(page: number): void
  pageSize: number
  setPageSize(size: number): void
  filters: F
  isFiltered: boolean
  setFilters(changes: Partial<F>): void
  clearFilters(): void
  /** Before the first answer. */
  isLoading: boolean
  /** While rows are on the screen and newer ones are on their way. */
  isRefreshing: boolean
  error: ApiError | undefined
  refresh(): Promise<void>
  /** Shows the changes in the row at once, then saves; puts them back when saving fails. Resolves to whether it was saved. */
  change(row: T, changes: Partial<T>, save: () => Promise<unknown>): Promise<boolean>
}

interface Page<T> {
  rows: T[]
  total: number | undefined
  isTotalExact?: boolean
  shape: ListShape
}

/** Paging, filters, search and the remembered page size of one list call. */
export function useList<T extends object, F extends Filters = Filters>(
  path: string,
  options: ListOptions<F, T> = {},
): List<T, F> {
  const client = useQueryClient()
  const state = useFilters<F>(options.filters ?? ({} as F), options.accepts)
  const { pageSize, setPageSize } = usePreferences()
  const source = sourceOf(path, options, state.filters)
  const query = {
    ...options.fixed,
    ...(options.toQuery?.(state.filters) ?? state.filters),
    ...(source.shape === 'whole' ? {} : pageQuery(options, state.page, pageSize)),
  }
  const queryKey = ['list', path, source, query]
  const result = useQuery<Page<T>>({
    queryKey,
    queryFn: async ({ signal }) =>
      arranged(await fetchPage<T>(source, signal, query), options, state.filters),
    placeholderData: keepPreviousData,
    refetchInterval: options.refetchEveryMs,
    // What another tab or another admin deleted meanwhile is not shown as if it were there.
    refetchOnWindowFocus: true,
  })
  const refresh = useCallback(
    () => client.invalidateQueries({ queryKey: ['list', path] }),
    [client, path],
  )
  const view = viewOf(narrowed(result.data, options, state.filters), state.page, pageSize)
  const isEmpty = result.isSuccess && !result.isFetching && view.rows.length === 0
  useLastPage(state, isEmpty, view.total === undefined ? undefined : view.total / pageSize)
  return {
    ...state,
    ...view,
    pageSize,
    setPageSize: (size) => {
      setPageSize(size)
      state.setPage(1)
    },
    isLoading: result.isPending,
    isRefreshing: result.isFetching && !result.isPending,
    error: asApiError(result.error),
    refresh,
    change: async (row, changes, save) => {
      const put = (from: T, to: T) =>
        client.setQueryData<Page<T>>(queryKey, (old) => old && replaceRow(old, from, to))
      const at = client.getQueryData<Page<T>>(queryKey)?.rows.indexOf(row) ?? -1
      put(row, { ...row, ...changes })
      // The cache keeps a copy of what it is given; the row is found again by that one, and not at all when newer rows have come.
      const changed = client.getQueryData<Page<T>>(queryKey)?.rows[at]
      try {
        await save()
        return true
      } catch (error) {
        if (changed) put(changed, row)
        reportError(error)
        return false
      }
    },
  }
}

/**
 * The last row of the last page may be gone, and an address may name a page far behind the end: an empty page with pages before it
 * is never what was meant. Where the total is known it leads to the last page at once, not through all between.
 */
function useLastPage(
  { page, setPage }: Pick<FilterState<Filters>, 'page' | 'setPage'>,
  isEmpty: boolean,
  pages: number | undefined,
) {
  const isBeyondEnd = isEmpty && page > 1
  const last = Math.max(1, Math.min(page - 1, Math.ceil(pages ?? page - 1)))
  useEffect(() => {
    if (isBeyondEnd) setPage(last, true)
  }, [isBeyondEnd, last, setPage])
}

function pageQuery(
  options: Pick<ListOptions, 'firstPage' | 'sizeParameter'>,
  page: number,
  size: number,
) {
  return { p: page - 1 + (options.firstPage ?? 1), [options.sizeParameter ?? 'page_size']: size }
}

function replaceRow<T>(page: Page<T>, from: T, to: T): Page<T> {
  return { ...page, rows: page.rows.map((row) => (row === from ? to : row)) }
}

function sourceOf<F extends Filters, T extends object>(
  path: string,
  options: ListOptions<F, T>,
  filters: F,
) {
  const { search, shape = 'paged' } = options
  if (search?.when(filters)) return { path: search.path, shape: search.shape ?? shape }
  return { path, shape }
}

async function fetchPage<T>(
  { path, shape }: { path: string; shape: ListShape },
  signal: AbortSignal,
  query: QueryValues,
): Promise<Page<T>> {
  const answer = await api.envelope<
    T[] | { items: T[]; total: number; total_exact?: boolean },
    CountHeader
  >('GET', path, undefined, { query, signal, isQuiet: true })
  const { data } = answer
  if (Array.isArray(data)) return { rows: data, total: answer.totalCount, shape }
  return {
    rows: data.items,
    total: data.total,
    isTotalExact: data.total_exact ?? true,
    shape: 'paged',
  }
}

function arranged<T extends object, F extends Filters>(
  answer: Page<T>,
  { arrange }: ListOptions<F, T>,
  filters: F,
): Page<T> {
  return arrange ? { ...answer, rows: arrange(answer.rows, filters) } : answer
}

function narrowed<T extends object, F extends Filters>(
  data: Page<T> | undefined,
  { narrow }: ListOptions<F, T>,
  filters: F,
): Page<T> | undefined {
  return data && narrow ? { ...data, rows: narrow(data.rows, filters) } : data
}

function viewOf<T>(data: Page<T> | undefined, page: number, pageSize: number) {
  if (!data) return { rows: [], total: undefined, isTotalExact: true, hasNextPage: false }
  if (data.shape === 'whole') {
    const rows = data.rows.slice((page - 1) * pageSize, page * pageSize)
    return {
      rows,
      total: data.rows.length,
      isTotalExact: true,
      hasNextPage: page * pageSize < data.rows.length,
    }
  }
  const isTotalExact = data.isTotalExact ?? true
  const hasNextPage =
    data.total === undefined || !isTotalExact
      ? data.rows.length === pageSize
      : page * pageSize < data.total
  return { rows: data.rows, total: data.total, isTotalExact, hasNextPage }
}
