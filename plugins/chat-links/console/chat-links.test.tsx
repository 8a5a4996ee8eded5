import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Status, useRegistry, useSession, useStatusStore } from '#console'
import { linkWithSettings } from './link-with-settings.ts'
import Chat2LinkScreen from './chat2link-screen.tsx'
import ChatScreen from './chat-screen.tsx'

describe('the address of /chat2link', () => {
  it('carries key and address in the fragment', () => {
    const address = linkWithSettings('https://c.example/', 'https://g.example', 'abc') ?? ''
    const [place, settings = ''] = address.split('/#/?settings=')
    expect(place).toBe('https://c.example')
    expect(JSON.parse(decodeURIComponent(settings))).toEqual({
      key: 'sk-abc',
      url: 'https://g.example',
    })
    expect(linkWithSettings('javascript:x', 'https://g.example', 'abc')).toBeUndefined()
  })
})

function show(path: string, tokens: object[], chats: unknown, userRole = 1) {
  const answer = { success: true, message: '', data: tokens }
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => Response.json(answer)),
  )
  const load = async () => ({ default: () => null })
  useRegistry.setState({
    screens: [
      { path: '/setting', title: 'x', access: 'options', owner: 'settings', load },
      { path: '/playground', title: 'x', owner: 'playground', load },
    ],
  })
  useSession.setState({ user: { id: 3, username: 'ada', role: userRole, group: 'default' } })
  useStatusStore.setState({
    status: { chats, server_address: 'https://gate.example' } as unknown as Status,
  })
  const router = createMemoryRouter(
    [
      { path: '/chat/:id?', element: <ChatScreen /> },
      { path: '/chat2link', element: <Chat2LinkScreen /> },
      { path: '/token', element: <p>the tokens</p> },
    ],
    { initialEntries: [path] },
  )
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('the chat screen', () => {
  const chats = [{ Web: 'https://c.example/?k={key}' }]
  const token = (id: number, status: number, expired_time = -1) => ({
    id,
    name: `t${id}`,
    key: `key${id}`,
    status,
    expired_time,
    unlimited_quota: true,
  })

  it('frames the page with the first token that can be used, and names its host', async () => {
    show('/chat/0', [token(3, 1, 1_000), token(1, 2), token(2, 1)], chats)
    const frame = await screen.findByTitle('Web')
    expect(frame.getAttribute('src')).toBe('https://c.example/?k=sk-key2')
    expect(frame.getAttribute('allow')).toBe('camera; microphone')
    expect(screen.getByText('c.example')).toBeTruthy()
  })

  it('asks before it opens an app, and names its scheme', async () => {
    show('/chat/0', [token(2, 1)], [{ App: 'some-app://x?k={key}' }])
    expect(await screen.findByText('This link opens an app: some-app:')).toBeTruthy()
    expect(document.querySelector('iframe')).toBeNull()
  })

  it('says that no token can be used, and leads to where one is made', async () => {
    show('/chat/0', [token(1, 2)], chats)
    expect(await screen.findByText(/No enabled token available/)).toBeTruthy()
    expect(screen.getByText('Redirecting…')).toBeTruthy()
    await waitFor(() => expect(screen.getByText('the tokens')).toBeTruthy())
  })

  it.each([
    ['/chat/0', [], /Contact the administrator to configure chat links/],
    ['/chat/7', chats, /not set up correctly/],
    ['/chat/0', 'broken', /could not be parsed/],
  ])('at %s with %j says what is wrong', async (path, links, words) => {
    show(path, [token(1, 1)], links)
    expect(await screen.findByText(words)).toBeTruthy()
  })

  it.each([
    ['/chat', 1],
    ['/chat', 0],
    ['/chat2link', 1],
    ['/chat2link', 0],
  ])('at %s without links leads to the playground whoever has %i tokens', async (path, count) => {
    const timers = vi.spyOn(window, 'setTimeout')
    show(path, count ? [token(1, 1)] : [], [])
    const link = await screen.findByRole('link', { name: 'Open the playground' })
    expect(link.getAttribute('href')).toBe('/playground')
    // Nobody is sent away to make a token for which there is no link.
    await waitFor(() => expect(fetch).toHaveBeenCalled())
    expect(timers.mock.calls.filter(([, ms]) => ms === 1500)).toEqual([])
  })

  it.each(['/chat', '/chat2link'])('at %s shows an admin where links are set', async (path) => {
    show(path, [token(1, 1)], [], 10)
    const link = await screen.findByRole('link', { name: 'Set up chat links' })
    expect(link.getAttribute('href')).toBe('/setting?tab=operation#chats')
    expect(screen.queryByText('This could not be loaded')).toBeNull()
  })

  it('follows /chat2link to the first link where all of them open apps', async () => {
    show('/chat2link', [token(1, 1)], [{ App: 'app://x?k={key}' }])
    expect(await screen.findByText('This link opens an app: app:')).toBeTruthy()
  })
})
