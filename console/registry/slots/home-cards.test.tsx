import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { useSession } from '../../stores/session.ts'
import type { HomeCard } from '../console-plugin.ts'
import { useRegistry } from '../registry.ts'
import { HomeCards } from './home-cards.tsx'

const card = (id: string, more: Partial<HomeCard> = {}) => ({
  id,
  owner: 'sample',
  order: 10,
  load: async () => ({ default: () => <p>{id}</p> }),
  ...more,
})

afterEach(() => vi.restoreAllMocks())

it('shows visitors the cards of a place that are for everybody, and nothing of those that fail or hang', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const Broken = () => {
    throw new Error('out of order')
  }
  useSession.setState({ user: undefined })
  useRegistry.setState({
    failures: {},
    home: [
      card('news'),
      card('above', { place: 'above' }),
      card('for users', { access: 'user' }),
      card('hidden', { isVisible: () => false }),
      card('broken', { load: async () => ({ default: Broken }) }),
      card('slow', { load: () => new Promise(() => undefined) }),
    ],
  })
  const { container } = await act(async () => render(<HomeCards place="below" />))
  await screen.findByText('news')
  expect(container.textContent).toBe('news')
  await expect.poll(() => useRegistry.getState().failures['sample']).toBe('out of order')
})
