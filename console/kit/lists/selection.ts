import { useMemo, useState } from 'react'

export type RowKey = string | number

export interface Selection<T> {
  rows: T[]
  has(row: T): boolean
  toggle(row: T, isSelected: boolean): void
  setAll(rows: readonly T[], isSelected: boolean): void
  clear(): void
}

/** Rows that are ticked; rows that left the list leave the selection. */
export function useSelection<T>(visible: readonly T[], keyOf: (row: T) => RowKey): Selection<T> {
  const [keys, setKeys] = useState<ReadonlySet<RowKey>>(new Set())
  const rows = useMemo(() => visible.filter((row) => keys.has(keyOf(row))), [visible, keys, keyOf])
  const change = (changed: readonly T[], isSelected: boolean) =>
    setKeys((old) => {
      const next = new Set(old)
      for (const row of changed) {
        if (isSelected) next.add(keyOf(row))
        else next.delete(keyOf(row))
      }
      return next
    })
  return {
    rows,
    has: (row) => keys.has(keyOf(row)),
    toggle: (row, isSelected) => change([row], isSelected),
    setAll: change,
    clear: () => setKeys(new Set()),
  }
}
