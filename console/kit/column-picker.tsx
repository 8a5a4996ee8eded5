import { Checkbox, Popover } from '@arco-design/web-react'
import { IconSettings } from '@arco-design/web-react/icon'
import { useTexts } from '../texts/use-texts.ts'
import type { Column } from './column.ts'
import { IconButton } from './icon-button.tsx'

export function ColumnPicker<T>({
  columns,
  picker,
}: {
  columns: readonly Column<T>[]
  picker: { isShown(column: Column<T>): boolean; toggle(id: string, isVisible: boolean): void }
}) {
  const t = useTexts()
  const list = (
    <div className="column-picker" role="group" aria-label={t('table.columns')}>
      {columns.map((column) => (
        <Checkbox
          key={column.id}
          checked={picker.isShown(column)}
          disabled={column.isTitle}
          onChange={(isVisible) => picker.toggle(column.id, isVisible)}
        >
          {column.title}
        </Checkbox>
      ))}
    </div>
  )
  return (
    <Popover content={list} trigger="click" position="br">
      <span>
        <IconButton icon={<IconSettings />} label={t('table.columns')} />
      </span>
    </Popover>
  )
}
