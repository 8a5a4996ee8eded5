import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type ApiError, api } from './client.ts'
import { READ_LIMIT_MS } from './time-limit.ts'
import { asApiError, shareTime } from './use-data.ts'

interface OptionRow {
  key: string
  value: string
}

export interface Options {
  /** Values as strings, as on the wire, by key; undefined until loaded. */
  values: Readonly<Record<string, string>> | undefined
  secretsSet: readonly string[]
  /** Stored values that are no longer valid, with the reason. Their defaults are in use. */
  faults: Readonly<Record<string, string>>
  error: ApiError | undefined
  /** `replaced`: keys that a reset or roll-back has just set; forms discard unsaved input for them. */
  refresh(replaced?: readonly string[]): Promise<void>
}

const replacing = new Set<(keys: readonly string[]) => void>()

/** Calls the listener when options were set by something other than the form itself. @returns the disposer */
export function onOptionsReplaced(drop: (keys: readonly string[]) => void): () => void {
  replacing.add(drop)
  return () => void replacing.delete(drop)
}

/** All options, loaded once and shared by all forms of the page. */
export function useOptions(): Options {
  const client = useQueryClient()
  const result = useQuery({
    queryKey: ['options'],
    staleTime: shareTime,
    queryFn: async ({ signal }) => {
      const answer = await api.envelope<
        OptionRow[],
        { secrets_set?: string[]; faults?: Record<string, string> }
      >('GET', '/api/option/', undefined, { isQuiet: true, signal, limitMs: READ_LIMIT_MS })
      return {
        values: Object.fromEntries(answer.data.map(({ key, value }) => [key, value])),
        secretsSet: answer.secrets_set ?? [],
        faults: answer.faults ?? {},
      }
    },
  })
  const refresh = useCallback(
    async (replaced: readonly string[] = []) => {
      await client.invalidateQueries({ queryKey: ['options'] })
      for (const drop of replacing) drop(replaced)
    },
    [client],
  )
  return {
    values: result.data?.values,
    secretsSet: result.data?.secretsSet ?? [],
    faults: result.data?.faults ?? {},
    error: asApiError(result.error),
    refresh,
  }
}
