// A server that takes a call and never answers it: what is read gives up, what is done does not.
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Loaded } from '../kit/loaded.tsx'
import { api } from './client.ts'
import { queryClient } from './query-client.ts'
import { useData } from './use-data.ts'
import { useOptions } from './use-options.ts'

let asked: AbortSignal[] = []
/** Of each answer: none at all, or headers without a body. */
let respond: (signal: AbortSignal) => Promise<Response>

/** Rejects when the call is given up. */
const never = <T,>(signal: AbortSignal) =>
  new Promise<T>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })

beforeEach(() => {
  asked = []
  respond = never
  vi.useFakeTimers()
  vi.stubGlobal('fetch', (_address: string, { signal }: RequestInit) => {
    if (!signal) return new Promise(() => {})
    asked.push(signal)
    return respond(signal)
  })
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function Part() {
  return <Loaded from={useData<string>('/api/silent')}>{(text) => <p>{text}</p>}</Loaded>
}

const draw = (part = <Part />) =>
  render(<QueryClientProvider client={queryClient}>{part}</QueryClientProvider>)
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

it('says that the server is slow, and after a minute that it has not answered', async () => {
  draw()
  await pass(9_000)
  expect(screen.getByRole('status').textContent).toBe('Loading')
  await pass(2_000)
  expect(screen.getByRole('status').textContent).toContain('longer than usual')
  await pass(50_000)
  expect(screen.getByRole('alert').textContent).toContain('has not answered for a minute')
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
  expect(asked.map(({ aborted }) => aborted)).toEqual([true])
})

it('gives up reading the settings', async () => {
  const Settings = () => <p>{useOptions().error?.message}</p>
  draw(<Settings />)
  await pass(61_000)
  expect(screen.getByText(/has not answered for a minute/)).toBeTruthy()
})

it('gives up an answer whose body never comes', async () => {
  respond = async (signal) => {
    const body = new ReadableStream({
      start: (stream) => void never(signal).catch((error: unknown) => stream.error(error)),
    })
    return new Response(body)
  }
  draw()
  await pass(61_000)
  expect(screen.getByRole('alert').textContent).toContain('has not answered for a minute')
})

it('leaves no timer behind an answer', async () => {
  respond = async () => Response.json({ success: true, message: '', data: 'Here' })
  draw()
  await pass(0)
  expect(screen.getByText('Here')).toBeTruthy()
  await pass(120_000)
  expect(asked.map(({ aborted }) => aborted)).toEqual([false])
})

it('waits for what is done as long as it takes', async () => {
  const ended = vi.fn()
  void api.post('/api/long', {}, { isQuiet: true }).finally(ended)
  await pass(600_000)
  expect(ended).not.toHaveBeenCalled()
})
