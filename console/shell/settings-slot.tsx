import { createElement, Suspense } from 'react'
import { Loading } from '../kit/states.tsx'
import type { Owned, SettingsPart, SettingsPartProps } from '../registry/console-plugin.ts'
import { PluginBoundary } from '../registry/plugin-boundary.tsx'
import { componentOf } from '../registry/owned-component.ts'

/** A plugin's part of the settings page. If it fails, a card names the plugin. */
export function SettingsSlot({
  part,
  onChanged,
}: SettingsPartProps & { part: Owned<SettingsPart> }) {
  return (
    <PluginBoundary owner={part.owner}>
      <Suspense fallback={<Loading />}>{createElement(componentOf(part), { onChanged })}</Suspense>
    </PluginBoundary>
  )
}
