import { createElement, Suspense } from 'react'
import { Loading } from '../kit/states.tsx'
import type { Owned, SettingsPart, SettingsPartProps } from '../registry/console-plugin.ts'
import { ScreenBoundary } from './screen-boundary.tsx'
import { componentOf } from './screen-component.ts'

/** A plugin's piece of the settings page; one that fails shows a card with the plugin's name. */
export function SettingsSlot({
  part,
  onChanged,
}: SettingsPartProps & { part: Owned<SettingsPart> }) {
  return (
    <ScreenBoundary owner={part.owner}>
      <Suspense fallback={<Loading />}>{createElement(componentOf(part), { onChanged })}</Suspense>
    </ScreenBoundary>
  )
}
