// Each group has channels of its own, so it decides which models can be chosen.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { textsOf, useSession } from '#console'
import { Composer } from './composer.tsx'
import { useSettings } from './use-settings.ts'

const models: Record<string, readonly string[]> = {
  default: ['gpt-4o-mini', 'o3'],
  vip: ['claude-opus-4-5', 'o3'],
}

let asked: string[] = []
let isAway = false

beforeEach(() => {
  asked = []
  isAway = false
  localStorage.clear()
  useSession.setState({ user: { id: 7, username: 'ada', role: 1, group: 'default' } })
  vi.stubGlobal('fetch', async (address: string) => {
    if (isAway) return new Response('', { status: 500 })
    const { pathname, searchParams } = new URL(address, 'http://console.test')
    const group = searchParams.get('group') ?? ''
    if (pathname === '/api/user/models') asked.push(group)
    const data =
      pathname === '/api/user/models'
        ? (models[group] ?? Object.values(models).flat())
        : { default: { ratio: 1, desc: 'Default' }, vip: { ratio: 2, desc: 'VIP' } }
    return Response.json({ success: true, message: '', data })
  })
})

afterEach(() => vi.unstubAllGlobals())

function settingsOf() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  return renderHook(() => useSettings(textsOf('playground')), { wrapper }).result
}

it('offers the models of the chosen group, and takes up the former choice where it can be had again', async () => {
  const result = settingsOf()
  await waitFor(() => expect(result.current.settings.model).toBe('gpt-4o-mini'))
  expect(result.current.offer.models).toEqual(models['default'])
  act(() => result.current.change({ group: 'vip' }))
  await waitFor(() => expect(result.current.offer.models).toEqual(models['vip']))
  expect(result.current.settings.model).toBe('claude-opus-4-5')
  act(() => result.current.change({ group: 'default' }))
  await waitFor(() => expect(result.current.settings.model).toBe('gpt-4o-mini'))
  expect(asked).toEqual(['default', 'vip'])
})

it('asks again for groups and models that could not be loaded', async () => {
  isAway = true
  const result = settingsOf()
  await waitFor(() => expect(result.current.offer.error).toContain('server'))
  isAway = false
  act(() => result.current.offer.retry())
  await waitFor(() => expect(result.current.settings.model).toBe('gpt-4o-mini'))
  expect(result.current.offer.error).toBeUndefined()
})

it('has a button for it below the question', () => {
  const onRetry = vi.fn()
  const nothing = () => {}
  const state = { userId: 7, isRunning: false, isReady: false, hindrance: 'The server is away.' }
  render(<Composer {...state} onRetry={onRetry} onSend={nothing} onStop={nothing} />)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(onRetry).toHaveBeenCalledOnce()
  expect(screen.getByRole('status').textContent).toBe('The server is away.')
})
