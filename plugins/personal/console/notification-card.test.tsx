import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { OwnAccount } from '#console'
import { NotificationCard } from './notification-card.tsx'

/** Shows the card of an account with that setting; gives the bodies that it sends. */
function show(setting: string): unknown[] {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (path: string, { method, body }: RequestInit = {}) => {
    if (path === '/api/user/setting' && method === 'PUT') sent.push(JSON.parse(body as string))
    return Response.json({ success: true, message: '', data: null })
  })
  const own = { id: 3, username: 'ada', setting } as OwnAccount
  render(
    <QueryClientProvider client={new QueryClient()}>
      <NotificationCard own={own} onChange={async () => undefined} onEdited={() => undefined} />
    </QueryClientProvider>,
  )
  return sent
}

const threshold = () => screen.getByRole<HTMLInputElement>('spinbutton', { name: /Warn below/ })

afterEach(() => vi.unstubAllGlobals())

describe('the threshold of the notices', () => {
  it.each([
    { account: 'without settings', setting: '' },
    { account: 'that registered, whose language was noted', setting: '{"language":"en"}' },
  ])('starts at 100 000 units in an account $account, and is saved so', async ({ setting }) => {
    const sent = show(setting)
    expect(threshold().value).toBe('0.2')
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(sent).toEqual([{ quota_warning_threshold: 100_000 }]))
  })

  it('is 500 000 units where notices were saved without one', () => {
    show('{"language":"en","notify_type":"email"}')
    expect(threshold().value).toBe('1')
  })
})

describe('the way of the notices', () => {
  it('names the one whose plugin is off', async () => {
    show('{"notify_type":"pager"}')
    expect(await screen.findByLabelText('Mail (the plugin of “pager” is off)')).toBeTruthy()
  })
})
