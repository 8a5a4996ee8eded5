import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { usePreferences } from '../stores/preferences.ts'
import { useSession } from '../stores/session.ts'
import { keepLanguage } from './keep-language.ts'

const ada = { id: 7, username: 'ada', role: 1, group: 'default' }
const sent: { path: string; body: unknown }[] = []

let end: () => void

beforeEach(() => {
  sent.length = 0
  vi.stubGlobal('fetch', (path: string, { body }: { body: string }) => {
    sent.push({ path, body: JSON.parse(body) })
    return Promise.reject(new Error('nobody listens'))
  })
  useSession.getState().signOut()
  usePreferences.getState().setLanguage('en')
  end = keepLanguage()
})
afterEach(() => {
  end()
  vi.unstubAllGlobals()
})

it('tells the server what is read at a sign-in and at each switch, and says nothing where it fails', () => {
  usePreferences.getState().setLanguage('zh')
  expect(sent).toEqual([])
  useSession.getState().signIn(ada)
  usePreferences.getState().setLanguage('zh')
  usePreferences.getState().setLanguage('en')
  expect(sent).toEqual([
    { path: '/api/user/self', body: { language: 'zh' } },
    { path: '/api/user/self', body: { language: 'en' } },
  ])
})

it('leaves it to the tab in which the language was chosen', () => {
  useSession.getState().signIn(ada)
  sent.length = 0
  localStorage.setItem('i18nextLng', 'zh')
  window.dispatchEvent(new StorageEvent('storage', { key: 'i18nextLng' }))
  expect(usePreferences.getState().language).toBe('zh')
  expect(sent).toEqual([])
  usePreferences.getState().setLanguage('en')
  expect(sent).toHaveLength(1)
})
