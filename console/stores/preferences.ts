import { create } from 'zustand'
import { readStored, writeStored } from './storage.ts'

export type Theme = 'light' | 'dark'
export type Language = 'en' | 'zh'

export const pageSizes = [10, 20, 50, 100] as const

const themeKey = 'theme-mode'
const languageKey = 'i18nextLng'

interface Preferences {
  theme: Theme
  language: Language
  isSidebarCollapsed: boolean
  pageSize: number
  /** The language was chosen in another tab, which has told the server. */
  isLanguageFollowed: boolean
  setTheme(theme: Theme): void
  setLanguage(language: Language): void
  setSidebarCollapsed(isCollapsed: boolean): void
  setPageSize(size: number): void
}

/** Settings that outlive the page. Keys and raw values in local storage are shared with other consoles for this API. */
export const usePreferences = create<Preferences>()((set) => ({
  theme: readTheme(),
  language: readLanguage(),
  isSidebarCollapsed: readStored('default_collapse_sidebar') === 'true',
  pageSize: readPageSize(),
  isLanguageFollowed: false,
  setTheme(theme) {
    writeStored(themeKey, theme)
    set({ theme })
  },
  setLanguage(language) {
    writeStored(languageKey, language)
    set({ language, isLanguageFollowed: false })
  },
  setSidebarCollapsed(isSidebarCollapsed) {
    writeStored('default_collapse_sidebar', String(isSidebarCollapsed))
    set({ isSidebarCollapsed })
  },
  setPageSize(pageSize) {
    writeStored('page-size', String(pageSize))
    set({ pageSize })
  },
}))

// What is chosen in one tab holds for all that are open; the width of the sidebar and the length of pages are each tab's own.
globalThis.addEventListener?.('storage', ({ key }) => {
  const language = readLanguage()
  if (key === themeKey) usePreferences.setState({ theme: readTheme() })
  if (key === languageKey && language !== usePreferences.getState().language)
    usePreferences.setState({ language, isLanguageFollowed: true })
})

function readTheme(): Theme {
  const stored = readStored(themeKey)
  if (stored === 'dark' || stored === 'light') return stored
  return globalThis.matchMedia?.('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

/** Chinese unless the user has chosen English or the browser prefers it. */
function readLanguage(): Language {
  const wanted = readStored(languageKey) ?? globalThis.navigator?.language ?? 'zh'
  return wanted.startsWith('en') ? 'en' : 'zh'
}

function readPageSize(): number {
  const size = Number(readStored('page-size'))
  return pageSizes.some((known) => known === size) ? size : pageSizes[0]
}
