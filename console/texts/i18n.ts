import type { ResourceKey } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { type Language, usePreferences } from '../stores/preferences.ts'
import { i18n } from './instance.ts'
import { loadTexts } from './load-texts.ts'

/** The texts of the shell and the kit; every other namespace is a plugin's id. */
export const ownNamespace = 'console'

export async function startTexts(): Promise<void> {
  await i18n.use(initReactI18next).init({
    lng: 'none',
    fallbackLng: 'zh',
    supportedLngs: ['en', 'zh', 'none'],
    ns: [ownNamespace],
    defaultNS: ownNamespace,
    resources: {},
    // One brace on each side, as in the server's messages; React escapes what it shows.
    interpolation: { prefix: '{', suffix: '}', escapeValue: false },
    react: { useSuspense: false },
  })
  await showLanguage(usePreferences.getState().language)
  usePreferences.subscribe(({ language }) => {
    if (language !== i18n.language) void showLanguage(language)
  })
}

async function showLanguage(language: Language): Promise<void> {
  const texts = await loadTexts(language)
  for (const [namespace, resources] of Object.entries(texts)) {
    addTexts(language, namespace, resources)
  }
  await i18n.changeLanguage(language)
  document.documentElement.lang = language
}

/** Adds a plugin's texts; what is already there under other keys stays. */
export function addTexts(language: Language, namespace: string, texts: ResourceKey): void {
  i18n.addResourceBundle(language, namespace, texts, true, true)
}
