import { api, confirm, type List, toast, useAction, useRegistry, useTexts } from '#console'
import type { PluginRow } from '../schema.ts'
import { confirmAsks } from './asks.tsx'
import { dependentsOf, type PluginFilters } from './plugin-row.ts'

/** Switches a plugin, or lets one that failed twice be tried again; the menu and the screens follow. A refusal keeps the old state and is shown. */
export function useSwitch(list: List<PluginRow, PluginFilters>) {
  const t = useTexts('plugins')
  const reloadScreens = useRegistry(({ load }) => load)
  const [onUnpark] = useAction(async (row: PluginRow) => {
    try {
      await api.post('/api/plugin/unpark', { id: row.id })
      toast.success(t('unparked', { name: row.name }))
    } finally {
      await Promise.all([list.refresh(), reloadScreens()])
    }
  })
  const [onSwitch] = useAction(async (row: PluginRow, enabled: boolean) => {
    if (!enabled) {
      const all = await api.get<PluginRow[]>('/api/plugin/')
      const names = dependentsOf(all, row.id).map(({ name }) => name)
      const isAgreed = await confirm(() => ({
        title: t('ask.title', { name: row.name }),
        content: [
          t(row.kind === 'adapter' ? 'ask.adapter' : 'ask.plugin'),
          names.length > 0 ? t('ask.dependents', { names: names.join(', ') }) : '',
        ].join(' '),
        confirmLabel: t('ask.confirm'),
        isDanger: true,
      }))
      if (!isAgreed) return
    }
    const agreed = enabled ? await confirmAsks(row) : {}
    if (!agreed) return
    const isSaved = await list.change(row, { enabled }, () =>
      api.put('/api/plugin/', { id: row.id, enabled, ...agreed }),
    )
    if (isSaved) toast.success(t(enabled ? 'switchedOn' : 'switchedOff', { name: row.name }))
    await Promise.all([list.refresh(), reloadScreens()])
  })
  return { onSwitch, onUnpark }
}
