import type { ResourceKey } from 'i18next'
import type { Language } from '../stores/preferences.ts'

type Bundle = Record<string, ResourceKey>

/** One chunk a language: the console's own texts, and the titles of all built-in plugins. */
const bundles: Record<Language, () => Promise<{ default: Bundle }>> = {
  en: () => import('./texts-en.ts'),
  zh: () => import('./texts-zh.ts'),
}

export async function loadTexts(language: Language): Promise<Bundle> {
  return (await bundles[language]()).default
}

/** One chunk a plugin and language. */
const files = import.meta.glob<ResourceKey>('../../plugins/*/locales/*.json', { import: 'default' })

export async function loadPluginTexts(
  language: Language,
  plugin: string,
): Promise<ResourceKey | undefined> {
  return files[`../../plugins/${plugin}/locales/${language}.json`]?.()
}

/** The built-in plugins that have texts. */
export function pluginsWithTexts(): string[] {
  return [...withTexts]
}

const withTexts = new Set(
  Object.keys(files).map((path) => /plugins\/([^/]+)\//.exec(path)?.[1] ?? ''),
)

export function hasTextFiles(plugin: string): boolean {
  return withTexts.has(plugin)
}
