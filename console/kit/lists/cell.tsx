import { memo, type ReactNode } from 'react'
import type { Column } from './column.ts'

interface CellProps<T> {
  column: Column<T>
  row: T
}

/** Drawn anew only where the row or the column is another: a list that is read again each second keeps what has not changed. */
export const Cell = memo(<T,>({ column, row }: CellProps<T>) => column.render(row)) as <T>(
  props: CellProps<T>,
) => ReactNode
