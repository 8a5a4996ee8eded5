// The texts of a plugin, or of the console itself, so that one journey serves all languages.
import { readFileSync } from 'node:fs'

/** @throws Error if the plugin has no such text */
export function textsOf(plugin: string, language: 'en' | 'zh' = 'en') {
  const place = plugin === 'console' ? 'console' : `plugins/${plugin}`
  const file = new URL(`../../${place}/locales/${language}.json`, import.meta.url)
  const texts: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return (path: string, values: Record<string, string | number> = {}): string => {
    let found = texts
    for (const name of path.split('.'))
      found = (found as Record<string, unknown> | undefined)?.[name]
    if (typeof found !== 'string') throw new Error(`${plugin} has no text ${path} in ${language}`)
    return found.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
  }
}
