import { useMemo, useState } from 'react'
import {
  type Action,
  DataTable,
  FilterBar,
  Page,
  useList,
  usePreferences,
  useRegistry,
  useTexts,
} from '#console'
import { pluginColumns } from './plugin-columns.tsx'
import { arrangePlugins, noFilters, type PluginFilters, type PluginRow } from './plugin-row.ts'
import { SettingsPanel } from './settings-panel.tsx'
import { useSwitch } from './use-switch.ts'
import './plugins.css'

const kinds = ['plugin', 'adapter'] as const
const states = ['on', 'off', 'failed'] as const

export default function PluginsScreen() {
  const t = useTexts('plugins')
  const consoleFailures = useRegistry(({ failures }) => failures)
  const language = usePreferences((preferences) => preferences.language)
  const [opened, setOpened] = useState<PluginRow>()
  const list = useList<PluginRow, PluginFilters>('/api/plugin/', {
    filters: noFilters,
    shape: 'whole',
    // Names come in the reader's language: another language is another list.
    fixed: { language },
    arrange: arrangePlugins,
  })
  const onSwitch = useSwitch(list)
  const columns = useMemo(
    () => pluginColumns({ t, consoleFailures, onSwitch }),
    [t, consoleFailures, onSwitch],
  )
  const actions = (row: PluginRow): Action[] => [
    ...(row.options.length > 0 && row.state === 'on'
      ? [{ label: t('action.settings'), run: () => setOpened(row) }]
      : []),
    ...(row.state === 'failed'
      ? [{ label: t('action.retry'), run: () => onSwitch(row, true) }]
      : []),
  ]
  return (
    <Page title={t('title')} hint={t('hint')}>
      <DataTable<PluginRow, PluginFilters>
        id="plugins"
        label={t('label')}
        list={list}
        columns={columns}
        nameOf={({ name }) => name}
        actions={actions}
        empty={{ title: t('empty') }}
        toolbar={
          <FilterBar
            list={list}
            fields={[
              { kind: 'search', name: 'search', label: t('search') },
              {
                kind: 'select',
                name: 'kind',
                label: t('filter.kind'),
                choices: kinds.map((kind) => ({ value: kind, label: t(`kind.${kind}`) })),
              },
              {
                kind: 'select',
                name: 'state',
                label: t('filter.state'),
                choices: states.map((state) => ({ value: state, label: t(`state.${state}`) })),
              },
            ]}
          />
        }
      />
      <SettingsPanel row={opened} onClose={() => setOpened(undefined)} />
    </Page>
  )
}
