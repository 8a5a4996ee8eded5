import type { FormatterModule, ResourceKey } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { formatExact } from '../format/quota.ts'
import { type Language, usePreferences } from '../stores/preferences.ts'
import { i18n } from './instance.ts'
import { hasTextFiles, loadPluginTexts, loadTexts } from './load-texts.ts'

/** The texts of the shell and the kit; every other namespace is a plugin's id. */
export const ownNamespace = 'console'

/** Writes counts with separators like every other large number. Ids and years get none. */
const countsInGroups: FormatterModule = {
  type: 'formatter',
  init: () => undefined,
  add: () => undefined,
  addCached: () => undefined,
  format: (value: unknown, _format, _language, options) =>
    options?.['interpolationkey'] === 'count' && Number.isInteger(value)
      ? formatExact(value as number)
      : (value as string),
}

export async function startTexts(): Promise<void> {
  await i18n
    .use(initReactI18next)
    .use(countsInGroups)
    .init({
      lng: 'none',
      fallbackLng: 'zh',
      supportedLngs: ['en', 'zh', 'none'],
      ns: [ownNamespace],
      defaultNS: ownNamespace,
      resources: {},
      // One brace on each side, as in the server's messages; React escapes what it shows.
      interpolation: {
        prefix: '{',
        suffix: '}',
        escapeValue: false,
        alwaysFormat: true,
      },
      react: { useSuspense: false },
      saveMissing: true,
      missingKeyHandler: (_languages, last, key, _shown, _isUpdate, { ns = last }) =>
        // Reported like an uncaught error: the browser's console and every journey see it, and the page goes on. Who asks comes first.
        globalThis.reportError?.(
          new Error(`No text for ${key} in ${[ns].flat()[0]} (${i18n.language})`),
        ),
    })
  await showLanguage(usePreferences.getState().language)
  usePreferences.subscribe(({ language, setLanguage }) => {
    if (language === i18n.language) return
    showLanguage(language).catch(() => {
      setLanguage(i18n.language as Language)
      i18n.emit('failedLoading', language)
    })
  })
}

async function showLanguage(language: Language): Promise<void> {
  const [texts] = await Promise.all([
    loadTexts(language),
    ...[...wanted].map((plugin) => pluginTexts(plugin, language)),
  ])
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

/** Plugins whose texts were asked for: a change of language brings theirs along. */
const wanted = new Set<string>()
const loads = new Map<string, Promise<void>>()
const present = new Set<string>()

/** Whether the texts of a plugin are there as a whole, not only its titles. */
export function hasPluginTexts(plugin: string, language = i18n.language): boolean {
  return plugin === ownNamespace || present.has(`${language}/${plugin}`)
}

/** How long what could not be loaded counts as that. React draws again whoever waited for it, and is to find the failure then: a new attempt
 *  would be waited for in turn, without an end. */
export const keptFailureMs = 1_000

/** Loads a built-in plugin's texts once a language. @rejects where the file cannot be loaded; a call after a moment tries again */
export function pluginTexts(plugin: string, language = i18n.language as Language): Promise<void> {
  if (plugin === ownNamespace) return nothingToLoad
  const key = `${language}/${plugin}`
  // An adapter's words come with its types, those of an external plugin with its module: the screen is not hidden to wait for nothing.
  if (!hasTextFiles(plugin)) {
    present.add(key)
    return nothingToLoad
  }
  wanted.add(plugin)
  const known = loads.get(key)
  if (known) return known
  const load = loadInto(plugin, language, key)
  loads.set(key, load)
  // React's `use` reads what is already there from the promise itself, and draws without waiting.
  load.then(
    () => markFulfilled(load),
    () => undefined,
  )
  return load
}

function markFulfilled(promise: Promise<void>): Promise<void> {
  return Object.assign(promise, { status: 'fulfilled', value: undefined })
}

const nothingToLoad = markFulfilled(Promise.resolve())

async function loadInto(plugin: string, language: Language, key: string): Promise<void> {
  try {
    const texts = await loadPluginTexts(language, plugin)
    if (texts !== undefined) addTexts(language, plugin, texts)
    present.add(key)
  } catch (error) {
    setTimeout(() => loads.delete(key), keptFailureMs)
    throw error
  }
}
