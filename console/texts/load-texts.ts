import type { ResourceKey } from 'i18next'
import type { Language } from '../stores/preferences.ts'

type Bundle = Record<string, ResourceKey>

/** One chunk a language: the console's own texts and those of all built-in plugins. */
const bundles: Record<Language, () => Promise<{ default: Bundle }>> = {
  en: () => import('./texts-en.ts'),
  zh: () => import('./texts-zh.ts'),
}

export async function loadTexts(language: Language): Promise<Bundle> {
  return (await bundles[language]()).default
}
