import { memo, type ReactNode } from 'react'
import type { Column } from './column.ts'

interface CellProps<T> {
  column: Column<T>
  row: T
}

const ONE_MINUTE_MS = 60_000

/** Rendered again only if the row or the column is a different object, so that a list which is refetched each second
 *  keeps its unchanged cells. Also once a minute, for values that expire with time. */
export function Cell<T>({ column, row }: CellProps<T>) {
  return <Drawn column={column} row={row} minute={minuteNow()} />
}

const Drawn = memo(<T,>({ column, row }: CellProps<T> & { minute: number }) =>
  column.render(row),
) as <T>(props: CellProps<T> & { minute: number }) => ReactNode

function minuteNow(): number {
  return Math.floor(Date.now() / ONE_MINUTE_MS)
}
