import { Button } from '@arco-design/web-react'
import {
  api,
  formatCount,
  formatDuration,
  SidePanel,
  StatusTag,
  toast,
  useAction,
  useTexts,
} from '#console'
import type { HookFigures, PluginRow } from '../schema.ts'

/** Calls, errors and time of a plugin's hooks on this node. */
export function HooksPanel({
  row,
  onClose,
  onDone,
}: {
  row: PluginRow | undefined
  onClose(): void
  onDone(): Promise<unknown>
}) {
  const t = useTexts('plugins')
  const [unpark, isRunning] = useAction(async () => {
    if (!row) return
    await api.post('/api/plugin/unpark', { id: row.id })
    toast.success(t('hooks.unparked'))
    await onDone()
    onClose()
  })
  const hooks = (row?.hooks ?? []).toSorted((a, b) => b.total_ms - a.total_ms)
  const isParked = hooks.some(({ is_parked }) => is_parked)
  return (
    <SidePanel
      title={t('hooks.title', { name: row?.name })}
      isOpen={row !== undefined}
      onClose={onClose}
      size="wide"
      footer={
        isParked ? (
          <Button type="primary" loading={isRunning} onClick={() => void unpark()}>
            {t('hooks.unpark')}
          </Button>
        ) : null
      }
    >
      <p className="plugin-hooks-hint">{t('hooks.hint')}</p>
      <ul className="plugin-hooks">
        {hooks.map((hook) => (
          <Hook key={`${hook.point} ${hook.id}`} hook={hook} />
        ))}
      </ul>
    </SidePanel>
  )
}

function Hook({ hook }: { hook: HookFigures }) {
  const t = useTexts('plugins')
  const { point, id, calls, errors, late, total_ms: total, longest_ms: longest } = hook
  const mean = calls === 0 ? 0 : total / calls
  return (
    <li>
      <p>
        <code>{`${point} · ${id}`}</code>
        {hook.is_parked ? <StatusTag tone="danger">{t('hooks.parked')}</StatusTag> : null}
      </p>
      <p className="muted">
        {t('hooks.figures', {
          calls: formatCount(calls),
          errors: formatCount(errors),
          late: formatCount(late),
          mean: shortTime(mean),
          longest: shortTime(longest),
        })}
      </p>
      {hook.last_error ? (
        <p className="tone-danger">{t('hooks.lastError', { message: hook.last_error })}</p>
      ) : null}
    </li>
  )
}

/** Most hooks take parts of a millisecond. */
function shortTime(ms: number): string {
  return ms < 10 ? `${Number(ms.toFixed(2))} ms` : formatDuration(ms)
}
