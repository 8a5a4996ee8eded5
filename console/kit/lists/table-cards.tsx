import { IconDown, IconRight } from '@arco-design/web-react/icon'
import { useTexts } from '../../texts/use-texts.ts'
import { RowActions } from './row-actions.tsx'
import type { TableView } from './data-table.tsx'
import { IconButton } from '../icon-button.tsx'
import { TickBox } from '../forms/tick-box.tsx'

/** The table on a phone: a card a row, a line a column, the same actions. */
export function TableCards<T extends object>({ view }: { view: TableView<T> }) {
  return (
    <ul className="table-cards" aria-label={view.label}>
      {view.list.rows.map((row) => (
        <RowCard key={view.rowKey(row)} view={view} row={row} />
      ))}
    </ul>
  )
}

function RowCard<T extends object>({ view, row }: { view: TableView<T>; row: T }) {
  const t = useTexts()
  const name = view.nameOf(row)
  const title = view.shown.find(({ isTitle }) => isTitle) ?? view.shown[0]
  const children = view.childrenOf?.(row)
  const isUnfolded = view.isUnfolded(row)
  const open = view.canOpen?.(row) === false ? undefined : view.onOpen
  return (
    <li className="row-card">
      <div className="row-card-head">
        {view.selection && (view.isSelectable?.(row) ?? true) ? (
          <TickBox
            label={t('table.select', { name })}
            isTicked={view.selection.has(row)}
            onChange={(isTicked) => view.selection?.toggle(row, isTicked)}
          />
        ) : null}
        <div className="row-card-title">{title?.render(row)}</div>
        {view.details || children ? (
          <IconButton
            icon={isUnfolded ? <IconDown /> : <IconRight />}
            label={t(isUnfolded ? 'table.fold' : 'table.unfold', { name })}
            aria-expanded={isUnfolded}
            onClick={() => view.unfold(row)}
          />
        ) : open ? (
          <IconButton
            icon={<IconRight />}
            label={t('table.open', { name })}
            onClick={() => open(row)}
          />
        ) : null}
      </div>
      <dl>
        {view.shown
          .filter((column) => column !== title)
          .map((column) => (
            <div key={column.id}>
              <dt>{column.title}</dt>
              <dd>{column.render(row)}</dd>
            </div>
          ))}
      </dl>
      {isUnfolded && !children ? view.details?.(row) : null}
      {view.actions ? <RowActions actions={view.actions(row)} subject={name} visible={3} /> : null}
      {isUnfolded && children ? (
        <ul className="table-cards">
          {children.map((child) => (
            <RowCard key={view.rowKey(child)} view={view} row={child} />
          ))}
        </ul>
      ) : null}
    </li>
  )
}
