import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { ApiError, api, lastWriteMs, type QueryValues } from './client.ts'
import { READ_LIMIT_MS } from './time-limit.ts'
import { messageOf } from './use-action.ts'

export interface Data<T> {
  data: T | undefined
  isLoading: boolean
  error: ApiError | undefined
  refresh(): Promise<void>
}

export interface DataOptions {
  query?: QueryValues
  /** Nothing is requested while false. */
  isEnabled?: boolean
  refetchEveryMs?: number
  /** Reloads when the user returns to the page, for data that others change, such as a balance. */
  isAskedOnReturn?: boolean
  /** How long an answer counts as fresh, if longer than components of one screen need (`sharedMs`); for lists that change rarely (groups,
   *  models). */
  staleMs?: number
}

/** Parts of a screen are drawn one after the other, as their code and texts arrive. */
const sharedMs = 2_000

/** How long parts of a screen share an answer: a moment, and no longer than until something is written, which may change it. */
export function shareTime({ state }: { state: { dataUpdatedAt: number } }): number {
  return state.dataUpdatedAt > lastWriteMs() ? sharedMs : 0
}

/** One GET, cached by URL and shared by all components that use it. The caller shows errors. */
export function useData<T>(path: string, options: DataOptions = {}): Data<T> {
  const client = useQueryClient()
  const result = useQuery<T, Error>({
    queryKey: ['data', path, options.query ?? {}],
    queryFn: ({ signal }) =>
      api.get<T>(path, {
        query: options.query,
        isQuiet: true,
        signal,
        limitMs: READ_LIMIT_MS,
      }),
    enabled: options.isEnabled ?? true,
    refetchInterval: options.refetchEveryMs,
    refetchOnWindowFocus: options.isAskedOnReturn ? 'always' : false,
    staleTime: options.staleMs ?? shareTime,
  })
  const refresh = useCallback(
    () => client.invalidateQueries({ queryKey: ['data', path] }),
    [client, path],
  )
  return {
    data: result.data,
    isLoading: result.isPending,
    error: asApiError(result.error),
    refresh,
  }
}

export function asApiError(error: unknown): ApiError | undefined {
  if (!error) return undefined
  return error instanceof ApiError ? error : new ApiError(messageOf(error), 0)
}
