import { memo, type ReactNode } from 'react'
import type { Column } from './column.ts'

interface CellProps<T> {
  column: Column<T>
  row: T
}

const ONE_MINUTE_MS = 60_000

/**
 * Drawn anew only where the row or the column is another: a list that is read again each second keeps what has not changed. And once a minute, for what
 * has run out meanwhile by the clock alone.
 */
export function Cell<T>({ column, row }: CellProps<T>) {
  return <Drawn column={column} row={row} minute={minuteNow()} />
}

const Drawn = memo(<T,>({ column, row }: CellProps<T> & { minute: number }) =>
  column.render(row),
) as <T>(props: CellProps<T> & { minute: number }) => ReactNode

function minuteNow(): number {
  return Math.floor(Date.now() / ONE_MINUTE_MS)
}
