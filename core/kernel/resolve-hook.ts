import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'

/** Leads `tollgate`, as plugins outside the repository write it, to the host's own contract: one copy of classes and registries. */
export function registerResolveHook(root: string): void {
  const contract = pathToFileURL(join(root, 'core/index.ts')).href
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'tollgate' || specifier === '#core')
        return { url: contract, shortCircuit: true, format: 'module-typescript' }
      return next(specifier, context)
    },
  })
}
