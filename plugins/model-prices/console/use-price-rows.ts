import { useMemo } from 'react'
import { api, messageOf, toast, useOptions, useTexts } from '#console'
import { type PriceRow, rowsOf, withRows } from './price-maps.ts'

export interface PriceRows {
  rows: readonly PriceRow[]
  isLoading: boolean
  error: ReturnType<typeof useOptions>['error']
  refresh(): Promise<void>
  /** Writes rows to the maps. Resolves to whether all were saved; a failure has already been shown. */
  save(rows: readonly PriceRow[]): Promise<boolean>
}

/** The price maps as rows of models. */
export function usePriceRows(): PriceRows {
  const t = useTexts('model-prices')
  const options = useOptions()
  const rows = useMemo(() => rowsOf(options.values ?? {}), [options.values])
  const save = async (changes: readonly PriceRow[]) => {
    // Uses the newest maps, so that changes of somebody else are kept.
    const wire = await readWire()
    const results = await Promise.all(
      Object.entries(withRows(wire, changes)).map(([key, value]) => put(key, value, wire[key])),
    )
    await options.refresh()
    const failures = results.filter((result) => result !== undefined)
    if (failures.length === 0) return true
    const isPart = failures.length < results.length
    toast.error(`${t(isPart ? 'save.partly' : 'save.failed')} ${failures.join(' ')}`)
    return false
  }
  return {
    rows,
    isLoading: options.values === undefined,
    error: options.error,
    refresh: options.refresh,
    save,
  }
}

async function readWire(): Promise<Record<string, string>> {
  const list = await api.get<{ key: string; value: string }[]>('/api/option/')
  return Object.fromEntries(list.map(({ key, value }) => [key, value]))
}

/** @returns the reason if it was not saved */
async function put(
  key: string,
  value: string,
  shown: string | undefined,
): Promise<string | undefined> {
  try {
    await api.put('/api/option/', { key, value, shown }, { isQuiet: true })
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}
