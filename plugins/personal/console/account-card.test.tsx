import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import type { OwnAccount } from '#console'
import { AccountCard } from './account-card.tsx'

/** Shows the card; gives the bodies that it sends. */
function show(own: Partial<OwnAccount> = {}): unknown[] {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (path: string, { method, body }: RequestInit = {}) => {
    if (path === '/api/user/self' && method === 'PUT') sent.push(JSON.parse(body as string))
    return Response.json({ success: true, message: '', data: null })
  })
  const account = { id: 3, username: 'ada', display_name: 'Ada', ...own } as OwnAccount
  render(
    <QueryClientProvider client={new QueryClient()}>
      <AccountCard own={account} onChange={async () => undefined} onEdited={() => undefined} />
    </QueryClientProvider>,
  )
  return sent
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }))

afterEach(() => vi.unstubAllGlobals())

it.each([{ display_name: 'Ada' }, { display_name: '' }])(
  'sends nothing and says so where nothing was changed (%o)',
  async (own) => {
    const sent = show(own)
    save()
    expect(await screen.findByText('You seem not to have changed anything.')).toBeTruthy()
    expect(sent).toEqual([])
  },
)

it('takes the username for a display name that was emptied', async () => {
  const sent = show()
  fireEvent.change(field('Display name'), { target: { value: ' ' } })
  save()
  await waitFor(() => expect(sent).toEqual([{ display_name: 'ada' }]))
  expect(await screen.findByText('Your account is saved.')).toBeTruthy()
  expect(field('Display name').value).toBe('ada')
})

it.each([
  ['blanks around the username', 'Username', ' ada '],
  ['a current password without a new one', 'Current password', 'secret words'],
])('says that %s change nothing', async (_what, label, value) => {
  const sent = show()
  fireEvent.change(field(label), { target: { value } })
  save()
  expect(await screen.findByText('You seem not to have changed anything.')).toBeTruthy()
  expect(sent).toEqual([])
  expect(field('Username').value).toBe('ada')
})
