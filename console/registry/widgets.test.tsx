import { act, render, screen } from '@testing-library/react'
import { use } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Card } from '../kit/page.tsx'
import { useSession } from '../stores/session.ts'
import type { Owned, Widget } from './console-plugin.ts'
import { useRegistry } from './registry.ts'
import { Widgets } from './widgets.tsx'

function widget(id: string, more: Partial<Owned<Widget>> = {}): Owned<Widget> {
  const Shown = () => <Card title={id} />
  return {
    id,
    owner: 'sample',
    title: 'title',
    order: 10,
    size: 'small',
    load: async () => ({ default: Shown }),
    ...more,
  }
}

async function show(role: number, widgets: Owned<Widget>[]) {
  useSession.setState({ user: { id: 1, username: 'ada', role, group: 'default' } })
  useRegistry.setState({ widgets })
  await act(async () => {
    render(<Widgets />)
  })
}

afterEach(() => vi.restoreAllMocks())

describe('the cards of the overview', () => {
  it('show what the person may see', async () => {
    const hidden = widget('hidden', { isVisible: () => false })
    await show(1, [widget('for all'), widget('for admins', { access: 'admin' }), hidden])
    await screen.findByRole('heading', { name: 'for all' })
    expect(screen.queryByText('for admins')).toBeNull()
    expect(screen.queryByText('hidden')).toBeNull()
  })

  it('do not wait for one from outside that never comes', async () => {
    const waiting = new Promise<never>(() => undefined)
    const Suspended = () => use(waiting)
    await show(10, [
      widget('hangs', { load: () => waiting }),
      widget('suspends', { load: async () => ({ default: Suspended }) }),
      widget('sound', { owner: 'overview' }),
    ])
    expect(await screen.findByRole('heading', { name: 'sound' })).toBeTruthy()
    expect(screen.getAllByRole('status')).toHaveLength(2)
  })

  it('ask once for one that the server no longer has, and show the others', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const load = vi.fn(() =>
      load.mock.calls.length > 3
        ? new Promise<never>(() => undefined)
        : Promise.reject(new TypeError('Failed to fetch dynamically imported module: /spend.js')),
    )
    const owner = 'overview'
    await show(10, [widget('gone', { owner, load }), widget('sound', { owner })])
    await screen.findByRole('heading', { name: 'sound' })
    expect(screen.getByRole('alert').textContent).toContain('did not come from the server')
    expect(load).toHaveBeenCalledOnce()
  })

  it('are not taken along by one that fails, which is blamed by name', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const Broken = () => {
      throw new Error('no figures')
    }
    await show(10, [
      widget('broken', { load: async () => ({ default: Broken }) }),
      widget('sound', { access: 'admin' }),
    ])
    await screen.findByRole('heading', { name: 'sound' })
    expect(screen.getByRole('alert').textContent).toContain('sample: no figures')
  })
})
