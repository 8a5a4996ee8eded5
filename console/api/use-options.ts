import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type ApiError, api } from './client.ts'
import { asApiError } from './use-data.ts'

interface OptionRow {
  key: string
  value: string
}

export interface Options {
  /** Wire strings by key; undefined until they are there. */
  values: Readonly<Record<string, string>> | undefined
  secretsSet: readonly string[]
  /** Stored values that are not taken any more, with the reason; their defaults are in use. */
  faults: Readonly<Record<string, string>>
  error: ApiError | undefined
  refresh(): Promise<void>
}

/** All options, read once and shared by every form on the page. */
export function useOptions(): Options {
  const client = useQueryClient()
  const result = useQuery({
    queryKey: ['options'],
    queryFn: async () => {
      const answer = await api.envelope<
        OptionRow[],
        { secrets_set?: string[]; faults?: Record<string, string> }
      >('GET', '/api/option/', undefined, { isQuiet: true })
      return {
        values: Object.fromEntries(answer.data.map(({ key, value }) => [key, value])),
        secretsSet: answer.secrets_set ?? [],
        faults: answer.faults ?? {},
      }
    },
  })
  const refresh = useCallback(() => client.invalidateQueries({ queryKey: ['options'] }), [client])
  return {
    values: result.data?.values,
    secretsSet: result.data?.secretsSet ?? [],
    faults: result.data?.faults ?? {},
    error: asApiError(result.error),
    refresh,
  }
}
