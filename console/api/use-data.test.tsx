import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { api } from './client.ts'
import { useData } from './use-data.ts'

let answers = 0

beforeEach(() => {
  answers = 0
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.stubGlobal('fetch', async (_address: string, { method }: RequestInit) => {
    if (method === 'GET') answers += 1
    return Response.json({ success: true, message: '', data: `answer ${answers}` })
  })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function Part() {
  return <p>{useData<string>('/api/example').data}</p>
}

/** A screen of so many parts. */
function screenOf(client: QueryClient, parts: number) {
  const names = Array.from({ length: parts }, (_, at) => <Part key={at} />)
  return <QueryClientProvider client={client}>{names}</QueryClientProvider>
}

/** Draws one part, waits for its answer, and draws the second after `between`. */
async function drawInTurn(between: () => unknown) {
  const client = new QueryClient()
  const { rerender } = render(screenOf(client, 1))
  await screen.findByText('answer 1')
  await between()
  rerender(screenOf(client, 2))
}

it('asks once for parts of a screen that are drawn one after the other', async () => {
  await drawInTurn(() => vi.advanceTimersByTime(1_000))
  expect(screen.getAllByText('answer 1')).toHaveLength(2)
  expect(answers).toBe(1)
})

it('asks again for a part that is drawn after a while', async () => {
  await drawInTurn(() => vi.advanceTimersByTime(3_000))
  expect(await screen.findAllByText('answer 2')).toHaveLength(2)
})

it('asks again for a part that is drawn after something was written', async () => {
  await drawInTurn(() => api.put('/api/example', {}))
  expect(await screen.findAllByText('answer 2')).toHaveLength(2)
})
