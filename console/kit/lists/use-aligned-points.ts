import { type RefObject, useLayoutEffect } from 'react'

/**
 * Puts the points of a column's amounts below each other. An amount says in `data-rest` which digits it lacks to the most that there may be; of them it is
 * given the room that another row of its column needs, so that the longest stands below the end of the heading.
 */
export function useAlignedPoints(table: RefObject<HTMLTableElement | null>): void {
  useLayoutEffect(() => {
    const amounts = table.current?.querySelectorAll<HTMLElement>('tbody [data-rest]') ?? []
    for (const column of Map.groupBy(amounts, columnOf).values()) align(column)
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
