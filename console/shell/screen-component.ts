import { lazy, type ComponentType } from 'react'
import { pluginTexts } from '../texts/i18n.ts'
import type { Owned, Screen } from '../registry/console-plugin.ts'

const components = new WeakMap<Screen['load'], ComponentType>()

/** The screen's component with its plugin's texts, loaded when it is first drawn; one a loader, so that a change of plugins keeps open screens as they are. */
export function componentOf(screen: Owned<Screen>): ComponentType {
  const known = components.get(screen.load)
  if (known) return known
  const component = lazy(async () => {
    const [module] = await Promise.all([screen.load(), pluginTexts(screen.owner)])
    return module
  })
  components.set(screen.load, component)
  return component
}
