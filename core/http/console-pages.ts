import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const known = new Map<string, readonly string[]>()

/** The patterns of the pages that built-in plugins bring, on or off, from what their console parts state as plain strings. Read once. */
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
