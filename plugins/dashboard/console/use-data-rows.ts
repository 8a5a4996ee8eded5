import { useQuery } from '@tanstack/react-query'
import { api, ApiError, READ_LIMIT_MS, useIsAdmin } from '#console'
import type { DataRow } from '../schema.ts'
import type { View } from './view.ts'

export interface DataRows {
  rows: readonly DataRow[] | undefined
  /** When the log was last counted, in seconds. */
  countedAt: number
  /** Whether calls made now are counted no more. */
  isStopped: boolean
  /** How many models there are, where the rows do not name all of them. */
  modelCount: number | undefined
  error: string | undefined
  isRefreshing: boolean
  refresh(): void
}

/** The rows of the view. The previous ones stay until the next ones have arrived. */
export function useDataRows({ span, step, username, userId }: View): DataRows {
  const isAdmin = useIsAdmin()
  const path = isAdmin ? '/api/data/' : '/api/data/self/'
  const query = {
    start_timestamp: span.start,
    end_timestamp: span.end,
    username: username || undefined,
    user_id: userId || undefined,
    default_time: step,
    timezone_offset: -new Date(span.end * 1000).getTimezoneOffset() * 60,
  }
  const result = useQuery({
    queryKey: ['dashboard', path, query],
    queryFn: ({ signal }) =>
      api.envelope<DataRow[], { counted_at?: number; is_stopped?: boolean; model_count?: number }>(
        'GET',
        path,
        undefined,
        {
          query,
          signal,
          isQuiet: true,
          limitMs: READ_LIMIT_MS,
        },
      ),
    placeholderData: (before) => before,
  })
  return {
    rows: result.data?.data,
    countedAt: result.data?.counted_at ?? 0,
    isStopped: result.data?.is_stopped === true,
    modelCount: result.data?.model_count,
    error: result.error instanceof ApiError ? result.error.message : result.error?.message,
    isRefreshing: result.isFetching,
    refresh: () => void result.refetch(),
  }
}
