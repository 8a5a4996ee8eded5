import '@arco-design/web-react/lib/_util/react-19-adapter'
import { Message } from '@arco-design/web-react'
import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'
import { onFactorRequired, setProof, setSessionRenewal } from '../console/api/client.ts'
import { takeBackQuestion } from '../console/kit/confirm.tsx'
import { useRegistry } from '../console/registry/registry.ts'
import { useOpenPanels } from '../console/stores/open-panels.ts'
import { usePreferences } from '../console/stores/preferences.ts'
import { setOptionMinRole, useSession } from '../console/stores/session.ts'
import { useStatusStore } from '../console/stores/status.ts'
import { pluginTexts, startTexts } from '../console/texts/i18n.ts'
import { i18n } from '../console/texts/instance.ts'
import { loadTexts, pluginsWithTexts } from '../console/texts/load-texts.ts'

// As patient as expect.poll in vitest.config.ts.
configure({ asyncUtilTimeout: 30_000 })

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

// The next file has the same modules: it begins with a page on which nobody is signed in and nothing was asked of the server.
afterAll(async () => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  useSession.setState(useSession.getInitialState(), true)
  useStatusStore.setState(useStatusStore.getInitialState(), true)
  useRegistry.setState(useRegistry.getInitialState(), true)
  useOpenPanels.setState(useOpenPanels.getInitialState(), true)
  usePreferences.setState({ ...usePreferences.getInitialState(), language: 'en' }, true)
  await i18n.changeLanguage('en')
  setOptionMinRole(undefined)
  setSessionRenewal(() => Promise.resolve(false))
  setProof(() => Promise.resolve(false))
  onFactorRequired(() => undefined)
  localStorage.clear()
  sessionStorage.clear()
  document.title = ''
  document.documentElement.lang = 'en'
  history.replaceState(null, '', '/')
})
