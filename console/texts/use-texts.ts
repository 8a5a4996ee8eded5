import { use, useMemo, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '../stores/preferences.ts'
import { hasPluginTexts, ownNamespace, pluginTexts } from './i18n.ts'
import { i18n } from './instance.ts'

export interface Texts {
  /** The text of the plugin, else the console's own (`t('save')` works everywhere). `{name}` is replaced from `values`. */
  (key: string, values?: Record<string, unknown>): string
  has(key: string): boolean
}

/** Texts of a plugin by its id; without one, those of the console. Waits (in the nearest Suspense) until they are loaded. */
export function useTexts(namespace: string = ownNamespace): Texts {
  const { language } = useTranslation().i18n
  // Always, also when nothing is left to wait for: a drawing that waited is repeated with the same hooks.
  use(pluginTexts(namespace, language as Language))
  const arrivals = useSyncExternalStore(onArrival, countArrivals)
  // A change of language or words that came late must give a new function, or memoised columns would keep the old words. An old one, in the
  // hands of a question that is still open, says the words of today.
  return useMemo(
    () => Object.assign(textsOf(namespace), { language, arrivals }),
    [namespace, language, arrivals],
  )
}

/** For code outside components, called when the text is needed. Texts that are not loaded yet come by themselves, a moment later. */
export function textsOf(namespace: string = ownNamespace): Texts {
  if (!hasPluginTexts(namespace)) void pluginTexts(namespace).then(callListeners, () => undefined)
  return titlesOf(namespace)
}

/** Like `textsOf`, for a plugin's titles and labels, which the frame has before the plugin's other texts. */
export function titlesOf(namespace: string, language?: string): Texts {
  const namespaces = namespace === ownNamespace ? [ownNamespace] : [namespace, ownNamespace]
  const base = { ns: namespaces, ...(language ? { lng: language } : {}) }
  return Object.assign(
    (key: string, values?: Record<string, unknown>) => i18n.t(key, { ...values, ...base }),
    { has: (key: string) => i18n.exists(key, base) },
  )
}

let arrived = 0
const listeners = new Set<() => void>()

function onArrival(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function countArrivals(): number {
  return arrived
}

function callListeners(): void {
  arrived += 1
  for (const listener of listeners) listener()
}
