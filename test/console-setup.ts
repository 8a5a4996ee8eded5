import '@arco-design/web-react/lib/_util/react-19-adapter'
import { Message } from '@arco-design/web-react'
import { cleanup } from '@testing-library/react'
import { afterEach, beforeEach } from 'vitest'
import { usePreferences } from '../console/stores/preferences.ts'
import { startTexts } from '../console/texts/i18n.ts'

localStorage.setItem('i18nextLng', 'en')
usePreferences.setState({ language: 'en' })
await startTexts()

beforeEach(() => {
  localStorage.clear()
})

afterEach(() => {
  cleanup()
  Message.clear()
})
