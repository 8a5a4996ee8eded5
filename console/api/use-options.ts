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
  /** `replaced`: keys that a reset or a roll-back has just set; forms drop what is typed there. */
  refresh(replaced?: readonly string[]): Promise<void>
}

const replacing = new Set<(keys: readonly string[]) => void>()

/** Calls when something else than the form itself has set options on this page; returns how to stop. */
export function onOptionsReplaced(drop: (keys: readonly string[]) => void): () => void {
  replacing.add(drop)
  return () => void replacing.delete(drop)
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
