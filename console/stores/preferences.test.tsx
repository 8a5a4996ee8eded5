import { expect, it } from 'vitest'
import { usePreferences } from './preferences.ts'

/** What the browser tells the other tabs. */
function chooseElsewhere(key: string, value: string) {
  localStorage.setItem(key, value)
  window.dispatchEvent(new StorageEvent('storage', { key, newValue: value }))
}

it('takes over the theme and the language that are chosen in another tab', () => {
  usePreferences.getState().setTheme('light')
  usePreferences.getState().setLanguage('en')
  chooseElsewhere('theme-mode', 'dark')
  expect(usePreferences.getState()).toMatchObject({ theme: 'dark', language: 'en' })
  chooseElsewhere('i18nextLng', 'zh')
  expect(usePreferences.getState()).toMatchObject({ theme: 'dark', language: 'zh' })
})

it('keeps the width of the sidebar, which each tab chooses for itself', () => {
  usePreferences.getState().setSidebarCollapsed(false)
  chooseElsewhere('default_collapse_sidebar', 'true')
  expect(usePreferences.getState().isSidebarCollapsed).toBe(false)
})
