import { createInstance } from 'i18next'

/** The one holder of texts; started by i18n.ts. */
export const i18n = createInstance()

/** Resolves once a language is shown. What fails before has no words yet. */
export async function firstWords(): Promise<void> {
  while (i18n.language === undefined || i18n.language === 'none') {
    await new Promise<void>((resolve) => {
      const onChanged = () => {
        i18n.off('languageChanged', onChanged)
        resolve()
      }
      i18n.on('languageChanged', onChanged)
    })
  }
}
