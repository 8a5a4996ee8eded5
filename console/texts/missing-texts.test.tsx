import { expect, it, vi } from 'vitest'
import { startTexts } from './i18n.ts'
import { titlesOf } from './use-texts.ts'

it('a text that is nowhere is reported with the plugin that asked for it', async () => {
  const report = vi.fn<(error: Error) => void>()
  vi.stubGlobal('reportError', report)
  await startTexts()
  expect(titlesOf('acme', 'en')('nowhere')).toBe('nowhere')
  expect(report.mock.calls[0]?.[0].message).toMatch(/^No text for nowhere in acme/)
  vi.unstubAllGlobals()
})
