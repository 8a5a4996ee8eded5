import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'

/** What our own files import by a short name, and outsiders by the package's. */
const doors: Readonly<Record<string, string>> = {
  '#core': 'core/index.ts',
  tollgate: 'core/index.ts',
  'tollgate/contract': 'core/index.ts',
  '#adapter-kit': 'core/adapter-kit/index.ts',
  'tollgate/adapter-kit': 'core/adapter-kit/index.ts',
}

/** Query parameter of a module's URL: how often its plugin was tried again after a fault. */
export const attemptName = 'tollgate-try'

let isRegistered = false

/** Resolves the names that plugins import, in any folder, to the host's own modules, so that classes and registries exist only once. Done once
 *  in a process, which is of one checkout. */
export function registerResolveHook(root: string): void {
  if (isRegistered) return
  isRegistered = true
  const urls = new Map(
    Object.entries(doors).map(([name, file]) => [name, pathToFileURL(join(root, file)).href]),
  )
  registerHooks({
    resolve(specifier, context, next) {
      const url = urls.get(specifier)
      if (url !== undefined) return { url, shortCircuit: true, format: 'module-typescript' }
      const found = next(specifier, context)
      return { ...found, url: ofSameAttempt(found.url, specifier, context.parentURL) }
    },
  })
}

/** What a plugin that is tried again imports of its own files is read again too. */
function ofSameAttempt(url: string, specifier: string, parent: string | undefined): string {
  if (parent === undefined || !specifier.startsWith('.') || !parent.includes(`?${attemptName}=`))
    return url
  const attempt = new URL(parent).searchParams.get(attemptName)
  const own = new URL(url)
  if (attempt !== null) own.searchParams.set(attemptName, attempt)
  return own.href
}
