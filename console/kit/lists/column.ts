import type { ReactNode } from 'react'
import { useCallback, useState } from 'react'
import { readStoredJson, writeStored } from '../../stores/storage.ts'

export interface Column<T> {
  /** The column picker stores its choice under this id. */
  id: string
  title: string
  render(row: T): ReactNode
  align?: 'left' | 'right'
  /** In pixels; columns without a width share the rest. */
  width?: number
  /** Can be hidden, and is hidden until it is picked. */
  isOptional?: boolean
  /** The title of the card on a phone. */
  isTitle?: boolean
  /** On a phone: `status` is at the right of the title, `fact` on the line below, everything else is shown after a tap.
   *  If no column says so, the two after the title are facts. */
  card?: 'status' | 'fact'
  /** Sorts the rows of the page in the browser; only for lists that are loaded as a whole. */
  sortBy?: (row: T) => string | number
  /** Sorted by the server: the value of the filter `sort`, beside `order` (`asc`, `desc`). */
  sortKey?: string
}

/** Which columns are shown; the choice is remembered under the table's id. */
export function useColumns<T>(tableId: string, columns: readonly Column<T>[]) {
  const key = `columns:${tableId}`
  const [choice, setChoice] = useState(() => readStoredJson<Record<string, boolean>>(key) ?? {})
  const isShown = (column: Column<T>) => choice[column.id] ?? !column.isOptional
  const toggle = useCallback(
    (id: string, isVisible: boolean) => {
      setChoice((old) => {
        const next = { ...old, [id]: isVisible }
        writeStored(key, JSON.stringify(next))
        return next
      })
    },
    [key],
  )
  return { shown: columns.filter(isShown), isShown, toggle }
}
