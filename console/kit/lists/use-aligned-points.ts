import { type RefObject, useLayoutEffect } from 'react'
import { groupBy } from '../../format/group-by.ts'

/** Aligns the decimal points of a column's amounts. Each amount states in `data-rest` which digits it lacks compared
 *  with the longest possible one. It gets only as much room as another row of the column needs, so that the longest
 *  amount ends below the end of the heading. */
export function useAlignedPoints(table: RefObject<HTMLTableElement | null>): void {
  useLayoutEffect(() => {
    const amounts = table.current?.querySelectorAll<HTMLElement>('tbody [data-rest]') ?? []
    for (const column of groupBy(amounts, columnOf).values()) align(column)
  })
}

function columnOf(amount: HTMLElement): number | undefined {
  const cell = amount.closest('td')
  return cell ? [...(cell.parentElement?.children ?? [])].indexOf(cell) : undefined
}

function align(amounts: readonly HTMLElement[]): void {
  const unused = Math.min(...amounts.map((amount) => restOf(amount).length))
  for (const amount of amounts) {
    const rest = restOf(amount)
    amount.dataset['free'] = rest.slice(0, rest.length - unused)
  }
}

function restOf({ dataset }: HTMLElement): string {
  return dataset['rest'] ?? ''
}
