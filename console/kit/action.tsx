import { Button, Dropdown, Menu } from '@arco-design/web-react'
import { IconMore } from '@arco-design/web-react/icon'
import type { ReactNode } from 'react'
import { reportError } from '../api/use-action.ts'
import { useTexts } from '../texts/use-texts.ts'
import { type ConfirmOptions, confirm } from './confirm.tsx'
import { IconButton } from './icon-button.tsx'

/** Something that can be done with a row or a selection. */
export interface Action {
  /** A verb. */
  label: string
  icon?: ReactNode
  isDanger?: boolean
  isDisabled?: boolean
  /** Asked before `run`. */
  confirm?: ConfirmOptions
  run(): unknown
}

export async function runAction(action: Action): Promise<void> {
  if (action.confirm && !(await confirm(action.confirm))) return
  try {
    await action.run()
  } catch (error) {
    reportError(error)
  }
}

/** Two actions as words, the rest under "…". `subject` names the row for screen readers. */
export function RowActions({
  actions,
  subject,
  visible = 2,
}: {
  actions: readonly Action[]
  subject: string
  visible?: number
}) {
  const t = useTexts()
  if (actions.length === 0) return null
  const isCut = actions.length > visible
  const shown = isCut ? actions.slice(0, visible) : actions
  return (
    <div className="row-actions" onClick={(event) => event.stopPropagation()}>
      {shown.map((action) => (
        <Button
          key={action.label}
          type="text"
          size="mini"
          status={action.isDanger ? 'danger' : undefined}
          disabled={action.isDisabled}
          aria-label={`${action.label}: ${subject}`}
          onClick={() => void runAction(action)}
        >
          {action.label}
        </Button>
      ))}
      {isCut ? (
        <ActionMenu actions={actions.slice(visible)} label={t('more', { name: subject })} />
      ) : null}
    </div>
  )
}

/** The rest of the actions, behind a button. */
export function ActionMenu({
  actions,
  label,
  children,
}: {
  actions: readonly Action[]
  label: string
  /** The button; left out: "…". */
  children?: ReactNode
}) {
  const menu = (
    <Menu onClickMenuItem={(key) => void runAction(actions[Number(key)] as Action)}>
      {actions.map((action, index) => (
        <Menu.Item
          key={String(index)}
          disabled={action.isDisabled}
          className={action.isDanger ? 'menu-danger' : undefined}
        >
          {action.icon ? <span className="menu-icon">{action.icon}</span> : null}
          {action.label}
        </Menu.Item>
      ))}
    </Menu>
  )
  return (
    <Dropdown droplist={menu} trigger="click" position="br">
      {/* Arco measures its child by ref, which does not come through a second trigger (the button's own hint). */}
      <span className="menu-anchor">
        {children ?? <IconButton size="mini" icon={<IconMore />} label={label} />}
      </span>
    </Dropdown>
  )
}
