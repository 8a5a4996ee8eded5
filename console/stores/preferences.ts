import { create } from 'zustand'
import { readStored, writeStored } from './storage.ts'

export type Theme = 'light' | 'dark'
export type Language = 'en' | 'zh'

export const pageSizes = [10, 20, 50, 100] as const

interface Preferences {
  theme: Theme
  language: Language
  isSidebarCollapsed: boolean
  pageSize: number
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
  setTheme(theme) {
    writeStored('theme-mode', theme)
    set({ theme })
  },
  setLanguage(language) {
    writeStored('i18nextLng', language)
    set({ language })
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

function readTheme(): Theme {
  const stored = readStored('theme-mode')
  if (stored === 'dark' || stored === 'light') return stored
  return globalThis.matchMedia?.('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

/** Chinese unless the user has chosen English or the browser prefers it. */
function readLanguage(): Language {
  const wanted = readStored('i18nextLng') ?? globalThis.navigator?.language ?? 'zh'
  return wanted.startsWith('en') ? 'en' : 'zh'
}

function readPageSize(): number {
  const size = Number(readStored('page-size'))
  return pageSizes.some((known) => known === size) ? size : pageSizes[0]
}
