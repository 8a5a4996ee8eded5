// The texts of plugins that the shell shows before any screen is opened: titles and menu labels, one module per language.
// All other texts of a plugin are loaded with its screens.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { readPluginData } from './plugin-data.ts'

const prefix = 'virtual:titles/'

export function titles(root: string): Plugin {
  return {
    name: 'titles',
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return undefined
      return `export default ${JSON.stringify(titlesIn(root, id.slice(prefix.length + 1)))}`
    },
  }
}

/** Texts by plugin, with the nesting of the locale files. */
function titlesIn(root: string, language: string): Record<string, object> {
  return Object.fromEntries(
    readPluginData(root).map(({ id, titles: keys }) => {
      const path = join(root, 'plugins', id, 'locales', `${language}.json`)
      const texts = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as object) : {}
      return [id, Object.assign({}, ...keys.map((key) => only(texts, key.split('.')))) as object]
    }),
  )
}

/** The part of the texts that contains a key. If two keys share a branch, the branch is taken as a whole. */
function only(texts: object, [first = '', ...rest]: string[]): object {
  const inner = (texts as Record<string, unknown>)[first]
  if (typeof inner === 'string') return { [first]: inner }
  if (typeof inner !== 'object' || inner === null || rest.length === 0) return {}
  return { [first]: inner }
}
