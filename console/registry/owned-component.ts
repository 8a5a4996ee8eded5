import { type ComponentType, lazy } from 'react'
import { keptFailureMs, pluginTexts } from '../texts/i18n.ts'
import { inTime } from './in-time.ts'

interface Loadable<Props> {
  owner: string
  load: () => Promise<{ default: ComponentType<Props> }>
}

/** Components by loader and owner: two plugins may share a loader, but each gets its own error card. */
const components = new WeakMap<object, Map<string, unknown>>()

/** The component of a screen or part, loaded with its plugin's texts when it is first rendered. There is one for
 *  each loader, so that open screens survive a change of plugins. If loading failed, it is tried again at a
 *  rendering after a moment. */
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
      setTimeout(() => own.delete(owner), keptFailureMs)
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
