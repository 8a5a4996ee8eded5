import { type ComponentType, lazy } from 'react'
import { pluginTexts } from '../texts/i18n.ts'
import { inTime } from './in-time.ts'

interface Loadable<Props> {
  owner: string
  load: () => Promise<{ default: ComponentType<Props> }>
}

/** By loader and owner: two plugins may share a loader, and each is blamed for its own. */
const components = new WeakMap<object, Map<string, unknown>>()

/** The component of a screen, or of a part of one, with its plugin's texts, loaded when it is first drawn; one a loader, so that a change of
 *  plugins keeps what is open as it is. One that could not be loaded is loaded anew when it is drawn again. */
export function componentOf<Props extends object>({
  owner,
  load,
}: Loadable<Props>): ComponentType<Props> {
  const own = components.get(load) ?? new Map<string, unknown>()
  components.set(load, own)
  const known = own.get(owner) as ComponentType<Props> | undefined
  if (known) return known
  const component: ComponentType<Props> = lazy(async () => {
    try {
      const [module] = await Promise.all([inTime(loaded(load)), pluginTexts(owner)])
      return module
    } catch (error) {
      own.delete(owner)
      throw error
    }
  })
  own.set(owner, component)
  return component
}

async function loaded<Props>(
  load: Loadable<Props>['load'],
): Promise<{ default: ComponentType<Props> }> {
  const module = (await load()) as { default?: unknown } | undefined
  const component = module?.default
  const isComponent =
    typeof component === 'function' || (typeof component === 'object' && component !== null)
  if (!isComponent) throw new Error('Its module has no default export that is a component.')
  return module as { default: ComponentType<Props> }
}
