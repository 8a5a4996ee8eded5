import { IconDown, IconRight } from '@arco-design/web-react/icon'
import type { ReactNode } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { ActionMenu } from './action-menu.tsx'
import { Cell } from './cell.tsx'
import type { Column } from './column.ts'
import type { TableView } from './data-table.tsx'
import { RowActions } from './row-actions.tsx'
import { IconButton } from '../icon-button.tsx'
import { isOnControl, RowTick } from './row-parts.tsx'

/** The table on a phone: one card of two lines per row; the rest is shown after a tap. */
export function TableCards<T extends object>({ view }: { view: TableView<T> }) {
  const parts = partsOf(view.shown)
  return (
    <ul className="table-cards" aria-label={view.label}>
      {view.list.rows.map((row) => (
        <RowCard key={view.rowKey(row)} view={view} row={row} parts={parts} />
      ))}
    </ul>
  )
}

interface CardParts<T> {
  title: Column<T> | undefined
  status: Column<T> | undefined
  facts: readonly Column<T>[]
  rest: readonly Column<T>[]
}

function partsOf<T>(shown: readonly Column<T>[]): CardParts<T> {
  const title = shown.find(({ isTitle }) => isTitle) ?? shown[0]
  const status = shown.find(({ card }) => card === 'status')
  const others = shown.filter((column) => column !== title && column !== status)
  const named = others.filter(({ card }) => card === 'fact')
  const facts = named.length > 0 ? named : others.slice(0, 2)
  return { title, status, facts, rest: others.filter((column) => !facts.includes(column)) }
}

function RowCard<T extends object>({
  view,
  row,
  parts,
}: {
  view: TableView<T>
  row: T
  parts: CardParts<T>
}) {
  const t = useTexts()
  const name = view.nameOf(row)
  const children = view.childrenOf?.(row)
  const isUnfolded = view.isUnfolded(row)
  const open = view.canOpen?.(row) === false ? undefined : view.onOpen
  // A row that opens shows everything itself; others unfold the lines that the card leaves out.
  const tap = open && !children ? () => open(row) : () => view.unfold(row)
  const isFold = !open || Boolean(children)
  const actions = view.actions?.(row) ?? []
  return (
    <li className="row-card">
      <div className="row-card-main" onClick={(event) => !isOnControl(event) && tap()}>
        <div className="row-card-head">
          <RowTick view={view} row={row} />
          <div className="row-card-title">
            {parts.title ? <Cell column={parts.title} row={row} /> : null}
          </div>
          {parts.status ? (
            <div className="row-card-status">
              <Cell column={parts.status} row={row} />
            </div>
          ) : null}
          <IconButton
            size="mini"
            icon={isFold && isUnfolded ? <IconDown /> : <IconRight />}
            label={t(isFold ? (isUnfolded ? 'table.fold' : 'table.unfold') : 'table.open', {
              name,
            })}
            aria-expanded={isFold ? isUnfolded : undefined}
            onClick={tap}
          />
        </div>
        <div className="row-card-line">
          <Facts columns={parts.facts} row={row} />
          {actions.length > 0 ? <ActionMenu actions={actions} label={t('more', { name })} /> : null}
        </div>
      </div>
      {isUnfolded && isFold ? (
        <Rest view={view} row={row} columns={parts.rest}>
          {actions.length > 0 ? <RowActions actions={actions} subject={name} visible={3} /> : null}
          {children ? (
            <ul className="table-cards">
              {children.map((child) => (
                <RowCard key={view.rowKey(child)} view={view} row={child} parts={parts} />
              ))}
            </ul>
          ) : null}
        </Rest>
      ) : null}
    </li>
  )
}

function Facts<T>({ columns, row }: { columns: readonly Column<T>[]; row: T }) {
  return (
    <dl className="row-card-facts">
      {columns.map((column) => (
        <div key={column.id}>
          {/* A time or a name is clear without its label; a figure is not. */}
          <dt className={column.align === 'right' ? undefined : 'visually-hidden'}>
            {column.title}
          </dt>
          <dd>
            <Cell column={column} row={row} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Rest<T extends object>({
  view,
  row,
  columns,
  children,
}: {
  view: TableView<T>
  row: T
  columns: readonly Column<T>[]
  children: ReactNode
}) {
  return (
    <div className="row-card-rest">
      <dl>
        {columns.map((column) => (
          <div key={column.id}>
            <dt>{column.title}</dt>
            <dd>
              <Cell column={column} row={row} />
            </dd>
          </div>
        ))}
      </dl>
      {view.details?.(row)}
      {children}
    </div>
  )
}
