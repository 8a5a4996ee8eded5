import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ownNamespace } from './i18n.ts'
import { i18n } from './instance.ts'

export interface Texts {
  /** The text of the plugin, else the console's own (`t('save')` works everywhere). `{name}` is replaced from `values`. */
  (key: string, values?: Record<string, unknown>): string
  has(key: string): boolean
}

/** Texts of a plugin by its id; without one, those of the console. */
export function useTexts(namespace: string = ownNamespace): Texts {
  const { language } = useTranslation().i18n
  // A change of language must give a new function, or memoised columns would keep the old words.
  return useMemo(() => textsOf(namespace, language), [namespace, language])
}

/** For code outside components, called when the text is needed. */
export function textsOf(namespace: string = ownNamespace, language?: string): Texts {
  const namespaces = namespace === ownNamespace ? [ownNamespace] : [namespace, ownNamespace]
  const base = { ns: namespaces, ...(language ? { lng: language } : {}) }
  return Object.assign(
    (key: string, values?: Record<string, unknown>) => i18n.t(key, { ...values, ...base }),
    { has: (key: string) => i18n.exists(key, base) },
  )
}
