import { createInstance } from 'i18next'

/** The one holder of texts; started by i18n.ts. */
export const i18n = createInstance()
