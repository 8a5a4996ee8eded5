import i18next from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ownNamespace } from './i18n.ts'

export interface Texts {
  /** The text of the plugin, else the console's own (`t('save')` works everywhere). `{name}` is replaced from `values`. */
  (key: string, values?: Record<string, unknown>): string
  has(key: string): boolean
}

/** Texts of a plugin by its id; without one, those of the console. */
export function useTexts(namespace: string = ownNamespace): Texts {
  const { i18n } = useTranslation()
  const { language } = i18n
  // A change of language must give a new function, or memoised columns would keep the old words.
  return useMemo(() => textsOf(namespace, language), [namespace, language])
}

/** For code outside components, called when the text is needed. */
export function textsOf(namespace: string = ownNamespace, language?: string): Texts {
  const namespaces = namespace === ownNamespace ? [ownNamespace] : [namespace, ownNamespace]
  const base = { ns: namespaces, ...(language ? { lng: language } : {}) }
  return Object.assign(
    (key: string, values?: Record<string, unknown>) => i18next.t(key, { ...values, ...base }),
    { has: (key: string) => i18next.exists(key, base) },
  )
}
