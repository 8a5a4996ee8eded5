import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { useSession } from '#console'
import { Welcome } from './welcome.tsx'

const asked: string[] = []

function show(isSignedIn: boolean, models = ['bge-m3', 'house-model']) {
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(new URL(address, 'http://console.test').pathname)
    return Response.json({ success: true, message: '', data: models })
  })
  const user = { id: 1, username: 'ada', role: 1, status: 1, group: 'default' }
  useSession.setState({ user: isSignedIn ? user : undefined })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <Welcome />
      </MemoryRouter>
    </QueryClientProvider>,
  )
}

afterEach(() => {
  cleanup()
  asked.length = 0
  useSession.setState({ user: undefined })
  vi.unstubAllGlobals()
})

describe('the first call of the home page', () => {
  it('names a model that the signed-in user may call', async () => {
    show(true)
    expect(await screen.findByText(/"model": "house-model"/)).toBeTruthy()
  })

  it('stays whole where the name of the model has quotes', async () => {
    show(true, [`the shop's "own"`])
    expect(await screen.findByText(/"model": "the shop'\\''s \\"own\\""/)).toBeTruthy()
  })

  it('asks nothing for visitors, and names a usual model', () => {
    show(false)
    expect(screen.getByText(/"model": "gpt-6-luna"/)).toBeTruthy()
    expect(asked).toEqual([])
  })
})
