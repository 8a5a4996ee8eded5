import { Button } from '@arco-design/web-react'
import { type ReactNode, useState } from 'react'
import type { Filters } from '../../api/use-filters.ts'
import type { List } from '../../api/use-list.ts'
import { useTexts } from '../../texts/use-texts.ts'
import type { Action } from './action.ts'
import { BulkBar, type BulkAction } from './bulk-bar.tsx'
import { useTableSlot } from '../../registry/slots/use-table-slot.tsx'
import { type Column, useColumns } from './column.ts'
import { ColumnPicker } from './column-picker.tsx'
import { Pager, totalOf } from './pager.tsx'
import { type RowKey, type Selection, useSelection } from './selection.ts'
import { EmptyState, ErrorState, Loading, Stale } from '../states.tsx'
import { TableBody } from './table-body.tsx'
import { TableCards } from './table-cards.tsx'
import { useIsPhone } from '../use-is-phone.ts'
import { useKeptFocus } from './use-kept-focus.ts'
import { useTopOfRows } from './use-top-of-rows.ts'

export interface DataTableProps<T, F extends Filters = Filters> {
  /** Under this name the column choice is remembered. */
  id: string
  /** The table's name for screen readers: "Channels". */
  label: string
  list: List<T, F>
  columns: readonly Column<T>[]
  /** The row in a word, for names of buttons and tick boxes. */
  nameOf: (row: T) => string
  keyOf?: (row: T) => RowKey
  actions?: (row: T) => readonly Action[]
  bulkActions?: readonly BulkAction<T>[]
  /** Opens the row: click, or Enter on its first cell. */
  onOpen?: (row: T) => void
  /** False for rows that do not open. */
  canOpen?: (row: T) => boolean
  /** Drawn below a row that is unfolded. */
  details?: (row: T) => ReactNode
  /** Rows below a row (the channels of a tag); unfolded by the same button. */
  childrenOf?: (row: T) => readonly T[] | undefined
  /** Rows that cannot be ticked (a grouping row). */
  isSelectable?: (row: T) => boolean
  empty: { title: string; hint?: string; action?: ReactNode }
  /** Above the table, left of the column picker: usually the FilterBar. */
  toolbar?: ReactNode
  /** The table's name for plugins that add columns and actions to it. */
  slot?: string
  /** False for rows that other plugins know nothing of (a grouping row). */
  isSlotRow?: (row: T) => boolean
  /** Without the page line, for lists that are short by nature. */
  hasPager?: boolean
}

/** Passed to all parts that draw rows. */
export interface TableView<T> extends DataTableProps<T> {
  shown: readonly Column<T>[]
  rowKey: (row: T) => RowKey
  selection: Selection<T> | undefined
  isUnfolded(row: T): boolean
  unfold(row: T): void
}

/** A list on the screen: table, or cards on a phone; filters, ticking, actions, pages, and what to show when there is nothing. */
export function DataTable<T extends object, F extends Filters = Filters>(
  given: DataTableProps<T, F>,
) {
  const { props, dialog } = useAdded(given)
  const { list, columns } = props
  const isPhone = useIsPhone()
  const frame = useTopOfRows(list)
  const kept = useKeptFocus()
  const picker = useColumns(props.id, columns)
  const { view, selection } = useTableView(props, picker.shown)
  const hasOptional = columns.some(({ isOptional }) => isOptional) || columns.length > 6
  return (
    <div className="data-table" {...kept}>
      {props.toolbar || hasOptional ? (
        <div className="toolbar">
          <div className="toolbar-main">{props.toolbar}</div>
          {hasOptional && !isPhone ? <ColumnPicker columns={columns} picker={picker} /> : null}
        </div>
      ) : null}
      {props.bulkActions ? (
        <BulkBar
          rows={selection.rows}
          actions={props.bulkActions}
          nameOf={props.nameOf}
          onClear={selection.clear}
          onDone={list.refresh}
        />
      ) : null}
      <div className="table-frame" ref={frame} aria-busy={list.isRefreshing}>
        {list.isRefreshing ? <div className="loading-bar" /> : null}
        {list.error && list.rows.length > 0 ? (
          <Stale message={list.error.message} onRetry={() => void list.refresh()} />
        ) : null}
        {list.rows.length === 0 ? (
          <Nothing {...props} />
        ) : isPhone ? (
          <TableCards view={view} />
        ) : (
          <TableBody view={view} />
        )}
      </div>
      {(props.hasPager ?? true) && (list.rows.length > 0 || list.page > 1) ? (
        <ListPager list={list} />
      ) : null}
      <Found list={list} />
      {dialog}
    </div>
  )
}

/** With what other plugins add to the table. */
function useAdded<T extends object, F extends Filters>(props: DataTableProps<T, F>) {
  const { slot, list, childrenOf, isSlotRow = always } = props
  const rows = list.rows.flatMap((row) => [row, ...(childrenOf?.(row) ?? [])])
  const added = useTableSlot<T>({ slot, rows, isRow: isSlotRow, refresh: list.refresh })
  const columns = [...props.columns, ...added.columns]
  const own = props.actions
  const more = added.actions
  if (!more) return { props: { ...props, columns }, dialog: added.dialog }
  const actions = (row: T) => dangerLast([...(own?.(row) ?? []), ...more(row)])
  return { props: { ...props, columns, actions }, dialog: added.dialog }
}

/** What destroys something stands at the end, below what plugins add. */
function dangerLast(actions: readonly Action[]): Action[] {
  return actions.toSorted((one, other) => Number(!!one.isDanger) - Number(!!other.isDanger))
}

function always(): boolean {
  return true
}

/** Which rows are ticked and which unfolded, beside what the screen says of the table. */
function useTableView<T extends object, F extends Filters>(
  props: DataTableProps<T, F>,
  shown: readonly Column<T>[],
): { view: TableView<T>; selection: Selection<T> } {
  const rowKey = props.keyOf ?? keyById
  const [unfolded, setUnfolded] = useState<ReadonlySet<RowKey>>(new Set())
  const all = props.list.rows.flatMap((row) => [row, ...(props.childrenOf?.(row) ?? [])])
  const selection = useSelection(all, rowKey)
  const view: TableView<T> = {
    ...props,
    shown,
    rowKey,
    selection: props.bulkActions ? selection : undefined,
    isUnfolded: (row) => unfolded.has(rowKey(row)),
    unfold: (row) => setUnfolded((old) => toggled(old, rowKey(row))),
  }
  return { view, selection }
}

function ListPager({ list }: { list: List<unknown> }) {
  return (
    <Pager
      page={list.page}
      pageSize={list.pageSize}
      total={list.total}
      isTotalExact={list.isTotalExact}
      hasNextPage={list.hasNextPage}
      onPage={list.setPage}
      onPageSize={list.setPageSize}
    />
  )
}

/** Tells screen readers what a filter has found: the rows change without a word. */
function Found({ list }: { list: List<unknown> }) {
  const t = useTexts()
  return (
    <span className="visually-hidden" role="status">
      {!list.isFiltered || list.isLoading
        ? ''
        : list.rows.length === 0
          ? t('table.noMatch')
          : totalOf(list, t)}
    </span>
  )
}

function Nothing<T, F extends Filters>({ list, empty }: DataTableProps<T, F>) {
  const t = useTexts()
  if (list.isLoading) return <Loading />
  if (list.error) {
    return <ErrorState message={list.error.message} onRetry={() => void list.refresh()} />
  }
  if (list.isFiltered)
    return (
      <EmptyState
        title={t('table.noMatch')}
        hint={t('table.noMatchHint')}
        action={<Button onClick={() => list.clearFilters()}>{t('filter.clear')}</Button>}
      />
    )
  return <EmptyState {...empty} />
}

function keyById(row: object): RowKey {
  return (row as { id: RowKey }).id
}

function toggled<T>(old: ReadonlySet<T>, entry: T): ReadonlySet<T> {
  const next = new Set(old)
  if (!next.delete(entry)) next.add(entry)
  return next
}
