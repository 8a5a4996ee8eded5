import { lazy, type ComponentType } from 'react'
import type { Owned, Screen } from '../registry/console-plugin.ts'

const components = new WeakMap<Screen['load'], ComponentType>()

/** The screen's component, loaded when it is first drawn; one a loader, so that a change of plugins keeps open screens as they are. */
export function componentOf(screen: Owned<Screen>): ComponentType {
  const known = components.get(screen.load)
  if (known) return known
  const component = lazy(screen.load)
  components.set(screen.load, component)
  return component
}
