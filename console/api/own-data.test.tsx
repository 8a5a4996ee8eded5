import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { usePreferences } from '../stores/preferences.ts'
import { useOwnGroups } from './own-data.ts'

function Groups() {
  const groups = useOwnGroups()
  return Object.entries(groups.data ?? {}).map(([name, { desc }]) => (
    <p key={name}>{`${name}: ${desc}`}</p>
  ))
}

afterEach(() => {
  usePreferences.getState().setLanguage('en')
  vi.unstubAllGlobals()
})

it('describes groups in the language of the console, but for what the operator wrote', async () => {
  const data = {
    default: { ratio: 1, desc: 'Default group' },
    own: { ratio: 1, desc: 'User group' },
    sold: { ratio: 2, desc: 'For partners' },
  }
  vi.stubGlobal('fetch', async () => Response.json({ success: true, message: '', data }))
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Groups />
    </QueryClientProvider>,
  )
  expect(await screen.findByText('default: Default group')).toBeTruthy()
  usePreferences.getState().setLanguage('zh')
  expect(await screen.findByText('default: 默认分组')).toBeTruthy()
  expect(screen.getByText('own: 用户分组')).toBeTruthy()
  expect(screen.getByText('sold: For partners')).toBeTruthy()
})
