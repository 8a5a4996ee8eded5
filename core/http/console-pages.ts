import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const known = new Map<string, readonly string[]>()

/** The path patterns of the pages of all built-in plugins, on or off, read once from the plain strings in their console parts. */
export function consolePages(root: string): readonly string[] {
  const present = known.get(root)
  if (present) return present
  const pages = globSync('plugins/*/console/index.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\bpath: '(\/[^']*)'/g)].map(
      ([, path = '/']) => path,
    ),
  )
  known.set(root, pages)
  return pages
}
