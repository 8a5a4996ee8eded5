import { useCallback, useEffect, useState } from 'react'
import { api, ApiError, byName, messageOf, READ_LIMIT_MS, useTexts } from '#console'

/** The most models that one call may name. */
const NAMES_PER_CALL = 1000

export interface UnsetModels {
  names: readonly string[]
  isLoading: boolean
  error: ApiError | undefined
  refresh(): Promise<void>
}

/** Models that channels serve and that have neither a price nor a ratio, as the gateway itself finds them: patterns and suffixes count too. */
export function useUnsetModels(): UnsetModels {
  const t = useTexts('model-prices')
  const [state, setState] = useState<{ names?: readonly string[]; fault?: string }>({})
  const read = useCallback(
    () =>
      unsetModels().then(
        (names) => setState({ names }),
        (failure: unknown) => setState({ fault: messageOf(failure) }),
      ),
    [],
  )
  useEffect(() => {
    void read()
  }, [read])
  const { names, fault } = state
  const error = fault === undefined ? undefined : new ApiError(`${t('unset.failed')} ${fault}`, 0)
  return { names: names ?? [], isLoading: names === undefined && !error, error, refresh: read }
}

async function unsetModels(): Promise<string[]> {
  const quiet = { isQuiet: true, limitMs: READ_LIMIT_MS }
  const enabled = await api.get<string[]>('/api/channel/models_enabled', quiet)
  const calls: Promise<string[]>[] = []
  for (let at = 0; at < enabled.length; at += NAMES_PER_CALL) {
    const models = enabled.slice(at, at + NAMES_PER_CALL)
    calls.push(api.post<string[]>('/api/channel/models_unpriced', { models }, quiet))
  }
  return (await Promise.all(calls)).flat().sort(byName)
}
