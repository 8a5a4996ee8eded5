import '@arco-design/web-react/lib/_util/react-19-adapter'
import { Message } from '@arco-design/web-react'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach } from 'vitest'
import { takeBackQuestion } from '../console/kit/confirm.tsx'
import { usePreferences } from '../console/stores/preferences.ts'
import { pluginTexts, startTexts } from '../console/texts/i18n.ts'
import { i18n } from '../console/texts/instance.ts'
import { loadTexts, pluginsWithTexts } from '../console/texts/load-texts.ts'

// As patient as expect.poll in vitest.config.ts.
configure({ asyncUtilTimeout: 10_000 })

localStorage.setItem('i18nextLng', 'en')
usePreferences.setState({ language: 'en' })
// The modules are those of the file before.
if (!i18n.isInitialized) await startTexts()
// What a screen waits for is there: tests draw it alone. Nothing is loaded while a file ends.
await Promise.all([loadTexts('zh'), ...pluginsWithTexts().map((plugin) => pluginTexts(plugin))])

beforeEach(() => {
  localStorage.clear()
})

afterEach(() => {
  cleanup()
  // The next test has the same module: a question that is left open would stand in its screen.
  takeBackQuestion()
  Message.clear()
  // What is left of them fades, and is not of the next test.
  for (const message of document.querySelectorAll('.arco-message'))
    message.setAttribute('aria-hidden', 'true')
})
