import { Button } from '@arco-design/web-react'
import { IconDown, IconUp } from '@arco-design/web-react/icon'
import { formatTime, IconButton, ModelMark, SidePanel, useTexts } from '#console'
import { LogDetails } from './log-details.tsx'
import { LogStatus } from './log-cells.tsx'
import { noteOf } from './log-note.ts'
import type { LogRow } from './log-row.ts'

/** All facts about one row; the arrow keys lead to its neighbours. */
export function LogDrawer({
  rows,
  row,
  isAdmin,
  onShow,
  onClose,
}: {
  rows: readonly LogRow[]
  row: LogRow | undefined
  isAdmin: boolean
  onShow: (row: LogRow) => void
  onClose: () => void
}) {
  const t = useTexts('logs')
  const place = row ? rows.indexOf(row) : -1
  const [newer, older] = place < 0 ? [] : [rows[place - 1], rows[place + 1]]
  return (
    <SidePanel
      title={row ? row.model_name || formatTime(row.created_at) : ''}
      isOpen={row !== undefined}
      onClose={onClose}
      size="wide"
      footer={
        <div className="log-drawer-footer">
          <IconButton
            icon={<IconUp />}
            label={t('drawer.newer')}
            disabled={!newer}
            onClick={() => newer && onShow(newer)}
          />
          <IconButton
            icon={<IconDown />}
            label={t('drawer.older')}
            disabled={!older}
            onClick={() => older && onShow(older)}
          />
          <span />
          <Button onClick={onClose}>{t('close')}</Button>
        </div>
      }
    >
      {row ? (
        <>
          <p className="log-drawer-head">
            {row.model_name ? <ModelMark model={row.model_name} /> : null}
            {row.model_name ? <code>{row.model_name}</code> : <span>{noteOf(row, t)}</span>}
            <LogStatus row={row} isAdmin={isAdmin} />
          </p>
          <LogDetails row={row} isAdmin={isAdmin} />
        </>
      ) : null}
    </SidePanel>
  )
}
