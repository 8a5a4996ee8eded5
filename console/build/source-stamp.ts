// A digest of all sources of the console, stored with the build, so that `ensure-built.ts` can tell whether to build again.
// Computed from contents, because a checkout or a copy changes the modification times.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Plugin } from 'vite'

const sources = [
  'console/**/*.{ts,tsx,css,json,html,js,svg,png}',
  'plugins/*/console/**/*',
  'plugins/*/locales/*.json',
  'plugins/*/schema.ts',
  'core/contract/{constants,json,known-device,natural-order}.ts',
  'package-lock.json',
]

const built = join('console', 'dist')

export function digestOfSources(root: string): string {
  const hash = createHash('sha256')
  const files = globSync(sources, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => relative(root, path))
    .filter((path) => !path.startsWith(built) && !/\.test\.tsx?$/.test(path))
  for (const path of files.sort()) hash.update(path).update(readFileSync(join(root, path)))
  return hash.digest('hex')
}

export function stampOf(root: string): string | undefined {
  const path = join(root, 'console/dist/.sources')
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

export function sourceStamp(folder: string): Plugin {
  const root = join(folder, '..')
  let digest = ''
  return {
    name: 'source-stamp',
    apply: 'build',
    buildStart() {
      digest = digestOfSources(root)
    },
    // Written last, so that only a complete build has the stamp.
    writeBundle: {
      sequential: true,
      order: 'post',
      handler({ dir = join(folder, 'dist') }) {
        writeFileSync(join(dir, '.sources'), digest)
      },
    },
  }
}
