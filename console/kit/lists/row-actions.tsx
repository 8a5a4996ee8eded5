import { Button } from '@arco-design/web-react'
import { useTexts } from '../../texts/use-texts.ts'
import { type Action, runAction } from './action.ts'
import { ActionMenu } from './action-menu.tsx'

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
          aria-label={t('actionOn', { action: action.label, name: subject })}
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
