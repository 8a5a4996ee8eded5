import {
  EmptyState,
  ErrorState,
  LeaveGuard,
  Loading,
  OptionForm,
  SidePanel,
  useData,
  useLeaveQuestion,
  useTexts,
} from '#console'
import type { PluginDetails, PluginRow } from './plugin-row.ts'

/** The settings of one plugin, drawn from the schema of its options. */
export function SettingsPanel({
  row,
  onClose,
}: {
  row: PluginRow | undefined
  onClose: () => void
}) {
  const t = useTexts('plugins')
  const { hasChanges, setChanged, close } = useLeaveQuestion(onClose)
  return (
    <SidePanel
      title={t('settings.title', { name: row?.name })}
      isOpen={row !== undefined}
      onClose={close}
    >
      <LeaveGuard hasChanges={hasChanges} />
      {row ? <Settings row={row} onChanged={setChanged} /> : null}
    </SidePanel>
  )
}

function Settings({
  row,
  onChanged,
}: {
  row: PluginRow
  onChanged: (hasChanges: boolean) => void
}) {
  const t = useTexts('plugins')
  const details = useData<PluginDetails>(`/api/plugin/${row.id}`)
  if (details.error) {
    return <ErrorState message={details.error.message} onRetry={() => void details.refresh()} />
  }
  if (!details.data) return <Loading />
  const { schema } = details.data
  if (!schema) return <EmptyState title={t('settings.none')} />
  return <OptionForm schema={schema} namespace={row.id} onChanged={onChanged} />
}
