import { render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { useStart } from './use-start.ts'

function Start() {
  useStart()
  return null
}

afterEach(() => vi.unstubAllGlobals())

it.each([
  {
    what: 'nobody answers',
    answer: () => Promise.reject(new TypeError('refused')),
    says: 'Unable to connect to server',
  },
  {
    what: 'the answer is none',
    answer: () => Promise.resolve(new Response('<html>', { status: 502 })),
    says: 'Failed to load status',
  },
])('says what the start lacks when $what', async ({ answer, says }) => {
  vi.stubGlobal('fetch', vi.fn(answer))
  render(<Start />)
  expect(await screen.findByText(says)).toBeTruthy()
})
