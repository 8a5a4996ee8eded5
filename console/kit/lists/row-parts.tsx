// Parts that a row of the table and a card on a phone share.
import type { MouseEvent } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { TickBox } from '../forms/tick-box.tsx'
import type { TableView } from './data-table.tsx'

/** The tick box of a row that can be ticked. */
export function RowTick<T extends object>({ view, row }: { view: TableView<T>; row: T }) {
  const t = useTexts()
  if (!view.selection || view.isSelectable?.(row) === false) return null
  return (
    <TickBox
      label={t('table.select', { name: view.nameOf(row) })}
      isTicked={view.selection.has(row)}
      onChange={(isTicked) => view.selection?.toggle(row, isTicked)}
    />
  )
}

export function isOnControl({ target }: MouseEvent): boolean {
  const control = 'button, a, input, textarea, label, [role=combobox], [role=switch]'
  return (target as Element).closest(control) !== null
}
