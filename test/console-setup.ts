import '@arco-design/web-react/lib/_util/react-19-adapter'
import { Message } from '@arco-design/web-react'
import { cleanup } from '@testing-library/react'
import { afterEach, beforeEach } from 'vitest'
import { usePreferences } from '../console/stores/preferences.ts'
import { pluginTexts, startTexts } from '../console/texts/i18n.ts'
import { pluginsWithTexts } from '../console/texts/load-texts.ts'

localStorage.setItem('i18nextLng', 'en')
usePreferences.setState({ language: 'en' })
await startTexts()
// What a screen waits for is there: tests draw it alone.
await Promise.all(pluginsWithTexts().map((plugin) => pluginTexts(plugin)))

beforeEach(() => {
  localStorage.clear()
})

afterEach(() => {
  cleanup()
  Message.clear()
})
