import { render } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { startEarly } from './early-start.ts'
import { useStart } from './use-start.ts'

function Start() {
  useStart()
  return null
}

afterEach(() => vi.unstubAllGlobals())

it('asks the server once, before anything is drawn', () => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address)
    return Response.json({ success: true, message: '', data: [] })
  })
  startEarly()
  expect(asked.toSorted()).toEqual(['/api/plugin/console', '/api/status'])
  render(<Start />)
  expect(asked).toHaveLength(2)
  render(<Start />)
  expect(asked).toHaveLength(4)
})
