import { Checkbox, Popover } from '@arco-design/web-react'
import { IconSettings } from '@arco-design/web-react/icon'
import { useRef, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import type { Column } from './column.ts'
import { useFocusInside } from '../focus-inside.ts'
import { IconButton } from '../icon-button.tsx'

interface ColumnPickerProps<T> {
  columns: readonly Column<T>[]
  picker: { isShown(column: Column<T>): boolean; toggle(id: string, isVisible: boolean): void }
}

export function ColumnPicker<T>({ columns, picker }: ColumnPickerProps<T>) {
  const t = useTexts()
  const [isOpen, setOpen] = useState(false)
  const anchor = useRef<HTMLSpanElement>(null)
  const close = () => {
    setOpen(false)
    anchor.current?.querySelector('button')?.focus()
  }
  return (
    <Popover
      content={<ColumnList columns={columns} picker={picker} onClose={close} />}
      trigger="click"
      position="br"
      popupVisible={isOpen}
      onVisibleChange={setOpen}
    >
      <span ref={anchor}>
        <IconButton icon={<IconSettings />} label={t('table.columns')} aria-expanded={isOpen} />
      </span>
    </Popover>
  )
}

function ColumnList<T>({ columns, picker, onClose }: ColumnPickerProps<T> & { onClose(): void }) {
  const t = useTexts()
  const group = useRef<HTMLDivElement>(null)
  useFocusInside(group, 'input:not([disabled])')
  return (
    <div
      ref={group}
      className="column-picker"
      role="group"
      aria-label={t('table.columns')}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
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
}
