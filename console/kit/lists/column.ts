import type { ReactNode } from 'react'
import { useCallback, useState } from 'react'
import { readStoredJson, writeStored } from '../../stores/storage.ts'

export interface Column<T> {
  /** Remembered by the column picker. */
  id: string
  title: string
  render(row: T): ReactNode
  align?: 'left' | 'right'
  /** Pixels; the rest shares what is left. */
  width?: number
  /** Can be hidden, and is until it is picked. */
  isOptional?: boolean
  /** Leads the card on a phone. */
  isTitle?: boolean
  /** On a phone: `status` stands at the right of the title, `fact` on the line below, the rest behind a tap. Where no column
   *  says so, the two after the title are facts. */
  card?: 'status' | 'fact'
  /** Sorts the rows of the page in the browser; only for lists that come whole. */
  sortBy?: (row: T) => string | number
  /** The server sorts: the value of the filter `sort`, beside `order` (`asc`, `desc`). */
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
