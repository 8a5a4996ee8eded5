import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import {
  type Action,
  DataTable,
  FilterBar,
  type FilterField,
  Page,
  pluginIdForm,
  Tabs,
  type Texts,
  useList,
  usePreferences,
  useRegistry,
  useTexts,
} from '#console'
import { HooksPanel } from './hooks-panel.tsx'
import { type LifecycleDoors, PageActions, useLifecycle, useMayInstall } from './lifecycle.tsx'
import { pluginColumns } from './plugin-columns.tsx'
import type { PluginRow } from '../schema.ts'
import { arrangePlugins, kinds, noFilters, type PluginFilters } from './plugin-row.ts'
import { useSwitch } from './use-switch.ts'
import './plugins.css'

/** The screen of the options. A console without it cannot lead there. */
const SETTINGS_PATH = '/setting'

const states = ['on', 'off', 'failed', 'parked'] as const

export default function PluginsScreen() {
  const t = useTexts('plugins')
  const consoleFailures = useRegistry(({ failures }) => failures)
  const language = usePreferences((preferences) => preferences.language)
  const list = useList<PluginRow, PluginFilters>('/api/plugin/', {
    filters: noFilters,
    accepts: { kind: kinds, state: states },
    shape: 'whole',
    // Names come in the reader's language: another language is another list.
    fixed: { language },
    arrange: (rows, filters) => arrangePlugins(rows, filters, consoleFailures),
  })
  const { onSwitch, onUnpark } = useSwitch(list)
  const [measured, setMeasured] = useState<PluginRow>()
  const { panels, open } = useLifecycle(list)
  const columns = useMemo(
    () => pluginColumns({ t, consoleFailures, onSwitch }),
    [t, consoleFailures, onSwitch],
  )
  const actions = useActions({ onSwitch, onUnpark, onMeasure: setMeasured, ...open })
  return (
    <Page title={t('title')} hint={t('hint')} actions={<PageActions open={open} />}>
      <Tabs
        label={t('filter.kind')}
        active={list.filters.kind}
        onChange={(kind) => list.setFilters({ kind })}
        items={kinds.map((kind) => ({ id: kind, title: t(`kinds.${kind}`) }))}
      />
      <DataTable<PluginRow, PluginFilters>
        id="plugins"
        label={t('label')}
        list={list}
        columns={columns}
        nameOf={({ name }) => name}
        actions={actions}
        empty={{ title: t('empty') }}
        toolbar={<FilterBar list={list} fields={fieldsOf(t)} />}
      />
      <HooksPanel row={measured} onClose={() => setMeasured(undefined)} onDone={list.refresh} />
      {panels}
    </Page>
  )
}

interface Handlers extends ReturnType<typeof useSwitch>, LifecycleDoors {
  onMeasure(row: PluginRow): void
}

function useActions(handlers: Handlers): (row: PluginRow) => Action[] {
  const { onSwitch, onUnpark, onMeasure, onVersions, onUninstall } = handlers
  const t = useTexts('plugins')
  const mayInstall = useMayInstall()
  const navigateTo = useNavigate()
  const hasSettings = useRegistry(({ screens }) =>
    screens.some(({ path }) => path === SETTINGS_PATH),
  )
  return (row) => [
    ...(row.options.length > 0 && row.state === 'on' && hasSettings
      ? [
          {
            label: t('action.settings'),
            run: () => navigateTo(`${SETTINGS_PATH}?plugin=${encodeURIComponent(row.id)}`),
          },
        ]
      : []),
    ...(row.state === 'failed' && isPluginId(row.id)
      ? [{ label: t('action.retry'), run: () => onSwitch(row, true) }]
      : []),
    ...(row.state === 'parked' ? [{ label: t('action.unpark'), run: () => onUnpark(row) }] : []),
    ...(mayInstall && row.versions.length > 1
      ? [{ label: t('action.versions'), run: () => onVersions(row) }]
      : []),
    ...(row.hooks.length > 0 ? [{ label: t('action.hooks'), run: () => onMeasure(row) }] : []),
    ...(mayInstall && row.source !== 'built-in' && isPluginId(row.id)
      ? [
          {
            label: t('action.uninstall'),
            isDanger: true,
            isDisabled: row.enabled,
            run: () => onUninstall(row),
          },
        ]
      : []),
  ]
}

/** A folder that cannot be a plugin is renamed, not tried again. */
function isPluginId(id: string): boolean {
  return id.length <= pluginIdForm.max && pluginIdForm.pattern.test(id)
}

function fieldsOf(t: Texts): FilterField[] {
  return [
    { kind: 'search', name: 'search', label: t('search') },
    {
      kind: 'select',
      name: 'state',
      label: t('filter.state'),
      choices: states.map((state) => ({ value: state, label: t(`state.${state}`) })),
    },
  ]
}
