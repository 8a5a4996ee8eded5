import { IconDown, IconRight } from '@arco-design/web-react/icon'
import { Fragment, type KeyboardEvent, type MouseEvent, useRef, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { Cell } from './cell.tsx'
import { RowActions } from './row-actions.tsx'
import type { Column } from './column.ts'
import type { TableView } from './data-table.tsx'
import { IconButton } from '../icon-button.tsx'
import { TickBox } from '../forms/tick-box.tsx'
import { isOnControl, RowTick } from './row-parts.tsx'
import { TableScroll } from './table-scroll.tsx'
import { useAlignedPoints } from './use-aligned-points.ts'

interface Sorting {
  id: string
  isDescending: boolean
}

/** A table in a region that can be scrolled by keyboard. Arco's table lacks that, and names for its tick boxes. */
export function TableBody<T extends object>({ view }: { view: TableView<T> }) {
  const t = useTexts()
  const [sorting, setSorting] = useState<Sorting>()
  const { selection, list } = view
  const table = useRef<HTMLTableElement>(null)
  useAlignedPoints(table)
  const hasFold = Boolean(view.details ?? view.childrenOf)
  const rows = sorted(list.rows, view.shown, sorting)
  const selectable = rows
    .flatMap((row) => [row, ...(view.childrenOf?.(row) ?? [])])
    .filter((row) => view.isSelectable?.(row) ?? true)
  const ticked = selectable.filter((row) => selection?.has(row))
  return (
    <TableScroll label={view.label}>
      <table aria-label={view.label} ref={table}>
        <thead>
          <tr>
            {hasFold ? (
              <th className="cell-narrow">
                <span className="visually-hidden">{t('table.details')}</span>
              </th>
            ) : null}
            {selection ? (
              <th className="cell-narrow">
                <TickBox
                  label={t('table.selectAll')}
                  isTicked={ticked.length > 0 && ticked.length === selectable.length}
                  isPartly={ticked.length > 0 && ticked.length < selectable.length}
                  onChange={(isTicked) => selection.setAll(selectable, isTicked)}
                />
              </th>
            ) : null}
            {view.shown.map((column) => (
              <HeadCell
                key={column.id}
                column={column}
                sorting={column.sortKey ? serverSorting(view) : sorting}
                onSort={column.sortKey ? (next) => sortOnServer(view, next) : setSorting}
              />
            ))}
            {view.actions ? <th className="cell-actions">{t('table.actions')}</th> : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Fragment key={view.rowKey(row)}>
              <Row view={view} row={row} hasFold={hasFold} />
              {view.isUnfolded(row) ? <Unfolded view={view} row={row} /> : null}
            </Fragment>
          ))}
        </tbody>
      </table>
    </TableScroll>
  )
}

/** The order in the address, mapped to the column with that key. */
function serverSorting<T>({ list, shown }: TableView<T>): Sorting | undefined {
  const { sort = '', order } = list.filters
  const column = shown.find(({ sortKey }) => sortKey === sort)
  return column && { id: column.id, isDescending: order !== 'asc' }
}

function sortOnServer<T>({ list, shown }: TableView<T>, next: Sorting | undefined): void {
  const key = shown.find(({ id }) => id === next?.id)?.sortKey ?? ''
  list.setFilters({ sort: key, order: key === '' ? '' : next?.isDescending ? 'desc' : 'asc' })
}

function HeadCell<T>({
  column,
  sorting,
  onSort,
}: {
  column: Column<T>
  sorting: Sorting | undefined
  onSort(sorting: Sorting | undefined): void
}) {
  const own = sorting?.id === column.id ? sorting : undefined
  const direction = own ? (own.isDescending ? 'descending' : 'ascending') : undefined
  return (
    <th
      scope="col"
      className={`align-${column.align ?? 'left'}`}
      style={{ width: column.width }}
      aria-sort={direction}
    >
      {column.sortBy || column.sortKey ? (
        <button type="button" className="sort" onClick={() => onSort(nextSorting(column, own))}>
          {column.title}
          <span aria-hidden>{own ? (own.isDescending ? '↓' : '↑') : '↕'}</span>
        </button>
      ) : (
        column.title
      )}
    </th>
  )
}

/** Names start ascending, figures that the server sorts start descending; the third press ends sorting. */
function nextSorting<T>(column: Column<T>, own: Sorting | undefined): Sorting | undefined {
  const first = column.sortKey !== undefined
  if (!own) return { id: column.id, isDescending: first }
  return own.isDescending === first ? { id: column.id, isDescending: !first } : undefined
}

function Row<T extends object>({
  view,
  row,
  hasFold,
  isChild = false,
}: {
  view: TableView<T>
  row: T
  hasFold: boolean
  isChild?: boolean
}) {
  const canUnfold = !isChild && (view.details ?? view.childrenOf?.(row)) !== undefined
  const open = view.canOpen?.(row) === false ? undefined : view.onOpen
  return (
    <tr
      className={`${open ? 'row-open' : ''} ${view.selection?.has(row) ? 'row-ticked' : ''} ${isChild ? 'row-child' : ''}`}
      onClick={open ? (event) => isOwnClick(event) && open(row) : undefined}
    >
      {hasFold ? (
        <td className="cell-narrow">{canUnfold ? <FoldButton view={view} row={row} /> : null}</td>
      ) : null}
      {view.selection ? (
        <td className="cell-narrow">
          <RowTick view={view} row={row} />
        </td>
      ) : null}
      {view.shown.map((column, index) => (
        <td
          key={column.id}
          className={`align-${column.align ?? 'left'}`}
          {...(open && index === 0 ? openByKey(() => open(row)) : {})}
        >
          <Cell column={column} row={row} />
        </td>
      ))}
      {view.actions ? (
        <td className="cell-actions">
          <RowActions actions={view.actions(row)} subject={view.nameOf(row)} />
        </td>
      ) : null}
    </tr>
  )
}

function FoldButton<T extends object>({ view, row }: { view: TableView<T>; row: T }) {
  const t = useTexts()
  const isUnfolded = view.isUnfolded(row)
  return (
    <IconButton
      size="mini"
      icon={isUnfolded ? <IconDown /> : <IconRight />}
      label={t(isUnfolded ? 'table.fold' : 'table.unfold', { name: view.nameOf(row) })}
      aria-expanded={isUnfolded}
      onClick={() => view.unfold(row)}
    />
  )
}

function Unfolded<T extends object>({ view, row }: { view: TableView<T>; row: T }) {
  const children = view.childrenOf?.(row)
  if (children) {
    return children.map((child) => (
      <Row key={view.rowKey(child)} view={view} row={child} hasFold isChild />
    ))
  }
  return (
    <tr className="row-details">
      <td colSpan={99}>{view.details?.(row)}</td>
    </tr>
  )
}

/** A click on a control inside the row, or one that ends a text selection, does not open the row. */
function isOwnClick(event: MouseEvent): boolean {
  return !isOnControl(event) && !window.getSelection()?.toString()
}

function openByKey(open: () => void) {
  return {
    tabIndex: 0,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.target !== event.currentTarget) return
      // What opens takes the focus at once, and the same key would press the button that has it: "Close".
      event.preventDefault()
      open()
    },
  }
}

function sorted<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  sorting: Sorting | undefined,
): readonly T[] {
  const by = columns.find(({ id }) => id === sorting?.id)?.sortBy
  if (!by || !sorting) return rows
  const sign = sorting.isDescending ? -1 : 1
  return rows.toSorted((a, b) => {
    const [left, right] = [by(a), by(b)]
    return left === right ? 0 : left < right ? -sign : sign
  })
}
