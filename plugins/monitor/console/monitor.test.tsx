import { render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { describe, expect, it } from 'vitest'
import { type Status, useRegistry, useSession, useStatusStore } from '#console'
import { setOptionMinRole } from '../../../console/stores/session.ts'
import monitor from './index.ts'
import MonitorScreen from './monitor-screen.tsx'
import { siteOf } from './site.ts'

function show(link: string, role: number) {
  const load = async () => ({ default: () => null })
  useRegistry.setState({
    screens: [{ path: '/setting', title: 'x', access: 'options', owner: 'settings', load }],
  })
  useSession.setState({ user: { id: 3, username: 'ada', role, group: 'default' } })
  useStatusStore.setState({ status: { monitor_link: link } as unknown as Status })
  const router = createMemoryRouter([{ path: '*', element: <MonitorScreen /> }])
  render(<RouterProvider router={router} />)
}

describe('the monitor', () => {
  it('frames the page that is set', () => {
    show('https://status.example/', 1)
    expect(screen.getByTitle('Monitor').getAttribute('src')).toBe('https://status.example/')
  })

  it('frames a page beside the console, as the option allows', () => {
    show('/status', 1)
    expect(screen.getByTitle('Monitor').getAttribute('src')).toBe('/status')
  })

  it('offers an unencrypted page as a link', () => {
    show('http://status.example/', 1)
    const link = screen.getByRole('link', { name: 'Open in a new tab' })
    expect(link.getAttribute('href')).toBe('http://status.example/')
  })

  it('says that none is set, and shows an admin where', () => {
    show('', 10)
    expect(screen.getByText('No monitor page is set')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Open the settings' })).toBeTruthy()
  })

  it('leads nobody to settings that he may not change', () => {
    setOptionMinRole(100)
    show('', 10)
    expect(screen.getByText('No monitor page is set')).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Open the settings' })).toBeNull()
    setOptionMinRole(undefined)
  })

  it.each([
    ['https://a.example', 'https://a.example'],
    ['/status', '/status'],
    ['//a.example', undefined],
    ['javascript:alert(1)', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('takes %s for %s', (link, site) => {
    expect(siteOf(link)).toBe(site)
  })

  it('shows the token query only where an address is set', () => {
    const [entry] = monitor.menu
    const status = { token_query_link: 'https://q.example' } as unknown as Status
    expect(entry?.link({ user: undefined, status })).toBe('https://q.example')
    expect(entry?.link({ user: undefined, status: undefined })).toBeUndefined()
  })
})
