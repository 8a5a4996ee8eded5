import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { usePreferences } from '../stores/preferences.ts'
import { api, type ApiError, type CountHeader, type QueryValues } from './client.ts'
import { READ_LIMIT_MS } from './time-limit.ts'
import { reportError } from './use-action.ts'
import { asApiError } from './use-data.ts'
import { type Accepts, type Filters, type FilterState, useFilters } from './use-filters.ts'

/** `paged`: `{items,total}`. `array`: a bare array with one page. `whole`: a bare array with everything, paged in the browser. */
export type ListShape = 'paged' | 'array' | 'whole'

export interface ListOptions<F extends Filters = Filters, T extends object = object> {
  /** Names and defaults of the filters. They are stored in the address, and sent in the query when not empty. */
  filters?: F
  /** Which values filters accept, if not any text. */
  accepts?: Accepts<F>
  shape?: ListShape
  /** The number of the first page in this call. */
  firstPage?: 0 | 1
  sizeParameter?: 'page_size' | 'size'
  /** Another call to use while filters are set (`/api/token/search`). */
  search?: { path: string; shape?: ListShape; when: (filters: F) => boolean }
  /** Sent with every call; not in the address. */
  fixed?: QueryValues
  refetchEveryMs?: number
  /** Transforms the rows of an answer before they are cut into pages: grouping, or filtering a list that is loaded as a whole. */
  arrange?: (rows: T[], filters: F) => T[]
  /** The query for these filters. Default: all of them, under their own names. */
  toQuery?: (filters: F) => QueryValues
  /** For a list that is loaded as a whole: which rows are shown, in which order. Applied without a call. */
  narrow?: (rows: readonly T[], filters: F) => T[]
}

export interface List<T, F extends Filters = Filters> {
  rows: readonly T[]
  /** Undefined if a bare array does not tell. */
  total: number | undefined
  /** False if there are more than `total`, because the server stopped counting. */
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
  /** True while rows are shown and newer ones are being loaded. */
  isRefreshing: boolean
  error: ApiError | undefined
  refresh(): Promise<void>
  /** Shows the changes in the row at once, then saves; undoes them if saving fails. Resolves to whether they were saved. */
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
    // Shows what another tab or another admin has deleted meanwhile.
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
      // The cache keeps a copy of the row, which is found by its object; it is not found if newer rows have arrived.
      const changed = client.getQueryData<Page<T>>(queryKey)?.rows[at]
      try {
        await save()
        // The row may no longer be one of those that are asked for.
        if (state.isFiltered) void refresh()
        return true
      } catch (error) {
        if (changed) put(changed, row)
        reportError(error)
        return false
      }
    },
  }
}

/** The last row of the last page may have been deleted, and an address may name a page beyond the end. An empty page
 *  after others is never wanted, so this leads to the last page, directly if the total is known. */
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
  >('GET', path, undefined, { query, signal, isQuiet: true, limitMs: READ_LIMIT_MS })
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
