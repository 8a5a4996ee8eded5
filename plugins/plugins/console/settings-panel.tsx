import { EmptyState, ErrorState, Loading, OptionForm, SidePanel, useData, useTexts } from '#console'
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
  return (
    <SidePanel
      title={t('settings.title', { name: row?.name })}
      isOpen={row !== undefined}
      onClose={onClose}
    >
      {row ? <Settings row={row} /> : null}
    </SidePanel>
  )
}

function Settings({ row }: { row: PluginRow }) {
  const t = useTexts('plugins')
  const details = useData<PluginDetails>(`/api/plugin/${row.id}`)
  if (details.error) {
    return <ErrorState message={details.error.message} onRetry={() => void details.refresh()} />
  }
  if (!details.data) return <Loading />
  const { schema } = details.data
  if (!schema) return <EmptyState title={t('settings.none')} />
  return <OptionForm schema={schema} namespace={row.id} />
}
