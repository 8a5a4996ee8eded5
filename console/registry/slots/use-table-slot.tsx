// Columns and row actions that other plugins add to a table.
import { createElement, memo, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Action } from '../../kit/lists/action.ts'
import type { Column } from '../../kit/lists/column.ts'
import { toast } from '../../kit/toast.ts'
import { mayAccess, useSession } from '../../stores/session.ts'
import { i18n } from '../../texts/instance.ts'
import { textsOf, titlesOf, useTexts } from '../../texts/use-texts.ts'
import type { AddedAction, AddedColumn, Owned, SlotRecord } from '../console-plugin.ts'
import { componentOf } from '../owned-component.ts'
import { useRegistry } from '../registry.ts'
import { type FaultProps, SlotBoundary } from './slot-boundary.tsx'

export interface TableSlotInput<T> {
  /** The name of the table for other plugins; undefined: nothing is added. */
  slot: string | undefined
  rows: readonly T[]
  /** False for rows that other plugins do not know (a grouping row). */
  isRow: (row: T) => boolean
  refresh(): Promise<unknown>
}

export interface TableSlot<T> {
  columns: readonly Column<T>[]
  actions: ((row: T) => readonly Action[]) | undefined
  /** What an open action renders. */
  dialog: ReactNode
}

export function useTableSlot<T extends object>(input: TableSlotInput<T>): TableSlot<T> {
  const { slot, isRow, refresh } = input
  const { columns, actions } = useAdditions(slot)
  const rows = useSameRows(input.rows.filter(isRow))
  const navigate = useNavigate()
  const [open, setOpen] = useState<{ action: Owned<AddedAction>; row: SlotRecord }>()
  const run = (action: Owned<AddedAction>, row: SlotRecord) => {
    const link = action.link?.(row)
    if (link === undefined) setOpen({ action, row })
    else if (link.startsWith('/')) void navigate(link)
    else window.open(link, '_blank', 'noopener')
  }
  const shown = useAddedColumns(columns, rows, isRow)
  return {
    columns: shown,
    actions:
      actions.length === 0
        ? undefined
        : (row) => (isRow(row) ? actionsFor(actions, recordOf(row), run) : []),
    dialog: open ? (
      <RunningAction
        key={`${open.action.owner} ${open.action.id}`}
        {...open}
        refresh={refresh}
        onClose={() => setOpen(undefined)}
      />
    ) : null,
  }
}

/** Returns the same columns until something about them changes, because cells are rendered again when their column
 *  does. */
function useAddedColumns<T extends object>(
  columns: readonly Owned<AddedColumn>[],
  rows: readonly SlotRecord[],
  isRow: (row: T) => boolean,
): readonly Column<T>[] {
  // Subscribes the component to changes of plugins.
  const { language } = i18n
  return useMemo(
    () => columns.map((column) => columnOf<T>(column, { rows, isRow, language })),
    [columns, rows, isRow, language],
  )
}

/** Only those that the user may see. */
function useAdditions(slot: string | undefined) {
  const tables = useRegistry((registry) => registry.tables)
  const user = useSession((session) => session.user)
  return useMemo(() => {
    const here = slot === undefined ? [] : tables.filter(({ id }) => id === slot)
    const mayUse = ({ access }: { access?: AddedColumn['access'] }) =>
      access === undefined || mayAccess(user, access)
    const owned = <E extends { access?: AddedColumn['access'] }>(
      listOf: (addition: (typeof here)[number]) => readonly E[] | undefined,
    ): Owned<E>[] =>
      here.flatMap((addition) =>
        (listOf(addition) ?? [])
          .filter(mayUse)
          .map((entry) => ({ ...entry, owner: addition.owner })),
      )
    return {
      columns: owned(({ columns }) => columns),
      actions: owned(({ rowActions }) => rowActions),
    }
  }, [slot, tables, user])
}

/** Returns the same list while it has the same rows, so that cells are rendered again only when their data changes. */
function useSameRows<T extends object>(rows: readonly T[]): readonly SlotRecord[] {
  const [kept, setKept] = useState<readonly T[]>(rows)
  const isSame = kept.length === rows.length && kept.every((row, index) => row === rows[index])
  if (!isSame) setKept(rows)
  return (isSame ? kept : rows) as readonly SlotRecord[]
}

function recordOf(row: object): SlotRecord {
  return row as SlotRecord
}

interface SlotRows<T> {
  rows: readonly SlotRecord[]
  isRow: (row: T) => boolean
  language: string
}

function columnOf<T extends object>(
  column: Owned<AddedColumn>,
  { rows, isRow, language }: SlotRows<T>,
): Column<T> {
  const { owner, id, title, align, isOptional, card } = column
  return {
    id: `${owner}:${id}`,
    title: titlesOf(owner, language)(title),
    ...(align ? { align } : {}),
    ...(isOptional ? { isOptional } : {}),
    ...(card ? { card } : {}),
    render: (row) =>
      isRow(row) ? <AddedCell column={column} row={recordOf(row)} rows={rows} /> : null,
  }
}

interface CellProps {
  column: Owned<AddedColumn>
  row: SlotRecord
  rows: readonly SlotRecord[]
}

/** Renders nothing until its code is loaded, so a slow plugin does not delay the table. */
const AddedCell = memo(function AddedCell({ column, row, rows }: CellProps) {
  return (
    <SlotBoundary owner={column.owner} instead={FailedCell}>
      <Suspense fallback={null}>{createElement(componentOf(column), { row, rows })}</Suspense>
    </SlotBoundary>
  )
})

function FailedCell({ owner, message }: FaultProps) {
  const t = useTexts()
  return (
    <span className="muted" title={t('error.screen', { owner, message })}>
      –
    </span>
  )
}

function actionsFor(
  actions: readonly Owned<AddedAction>[],
  row: SlotRecord,
  run: (action: Owned<AddedAction>, row: SlotRecord) => void,
): Action[] {
  return actions
    .filter(({ isVisible, link, load }) => {
      if (isVisible && !isVisible(row)) return false
      return load !== undefined || link?.(row) !== undefined
    })
    .map((action) => ({
      label: titlesOf(action.owner)(action.label),
      run: () => run(action, row),
    }))
}

function RunningAction({
  action,
  row,
  refresh,
  onClose,
}: {
  action: Owned<AddedAction>
  row: SlotRecord
  refresh(): Promise<unknown>
  onClose(): void
}) {
  const { owner, load } = action
  if (!load) return null
  return (
    <SlotBoundary
      owner={owner}
      onFault={(message) => {
        toast.error(textsOf()('error.screen', { owner, message }))
        onClose()
      }}
    >
      <Suspense fallback={null}>
        {createElement(componentOf({ owner, load }), { row, refresh, onClose })}
      </Suspense>
    </SlotBoundary>
  )
}
