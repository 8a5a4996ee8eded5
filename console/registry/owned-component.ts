import { lazy, type ComponentType } from 'react'
import { pluginTexts } from '../texts/i18n.ts'

interface Loadable<Props> {
  owner: string
  load: () => Promise<{ default: ComponentType<Props> }>
}

const components = new WeakMap<object, unknown>()

/** The component of a screen, or of a part of one, with its plugin's texts, loaded when it is first drawn; one a loader, so that a change of
 *  plugins keeps what is open as it is. */
export function componentOf<Props extends object>({
  owner,
  load,
}: Loadable<Props>): ComponentType<Props> {
  const known = components.get(load) as ComponentType<Props> | undefined
  if (known) return known
  const component: ComponentType<Props> = lazy(async () => {
    const [module] = await Promise.all([load(), pluginTexts(owner)])
    return module
  })
  components.set(load, component)
  return component
}
