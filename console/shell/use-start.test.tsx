import { render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { useStart } from './use-start.ts'

function Start() {
  const { fault } = useStart()
  return <p>{fault && `${fault.title}: ${fault.message}`}</p>
}

afterEach(() => vi.unstubAllGlobals())

it.each([
  {
    what: 'nobody answers',
    answer: () => Promise.reject(new TypeError('refused')),
    says: 'Unable to connect to server',
    why: 'Could not reach the server. Check the connection and try again.',
  },
  {
    what: 'the answer is none',
    answer: () => Promise.resolve(new Response('<html>', { status: 502 })),
    says: 'Failed to load status',
    why: 'Error: The server cannot be reached at the moment (502). Try again shortly.',
  },
])('says what the start lacks, and why, when $what', async ({ answer, says, why }) => {
  vi.stubGlobal('fetch', vi.fn(answer))
  render(<Start />)
  expect(await screen.findByText(says)).toBeTruthy()
  expect(await screen.findByText(`${says}: ${why}`)).toBeTruthy()
})
