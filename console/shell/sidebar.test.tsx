import { fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, expect, it, vi } from 'vitest'
import { usePreferences } from '../stores/preferences.ts'
import { Sidebar, SidebarMenu } from './sidebar.tsx'
import { useSidebar } from './use-sidebar.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const entryPx = 40

/** A window with room for three entries above a list, as a browser would lay it out. */
function layOut(this: Element): DOMRect {
  if (this.matches('nav')) return { top: 0, bottom: 3 * entryPx } as DOMRect
  const at = [...document.querySelectorAll('a')].indexOf(this as HTMLAnchorElement)
  return { top: at * entryPx, bottom: (at + 1) * entryPx } as DOMRect
}

it.each([
  { current: '/2', top: 0 },
  { current: '/7', top: 5 * entryPx },
])('the menu shows $current, where one is', ({ current, top }) => {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(layOut)
  const items = Array.from({ length: 9 }, (_, at) => {
    return { key: `/${at}`, link: `/${at}`, label: `entry ${at}`, children: [] }
  })
  render(
    <MemoryRouter>
      <SidebarMenu groups={[{ group: 'console', title: 'Console', items }]} current={current} />
    </MemoryRouter>,
  )
  expect(screen.getByRole('navigation').scrollTop).toBe(top)
})

it('has the links of the top bar begin in one line', () => {
  const items = [
    { key: '/', link: '/', label: 'Home', children: [] },
    { key: '/pricing', link: '/pricing', label: 'Pricing', icon: () => <i />, children: [] },
  ]
  const groups = [
    { group: 'top' as const, title: '', items },
    { group: 'console' as const, title: 'Console', items: items.slice(1) },
  ]
  const { container } = render(
    <MemoryRouter>
      <SidebarMenu groups={groups} current={undefined} />
    </MemoryRouter>,
  )
  const [top, below] = container.querySelectorAll('section')
  expect(top?.querySelectorAll('.sidebar-icon')).toHaveLength(0)
  expect(below?.querySelectorAll('.sidebar-icon')).toHaveLength(1)
})

/** A window of this width. */
function open(width: number) {
  const media = { addEventListener: () => {}, removeEventListener: () => {} }
  vi.stubGlobal('matchMedia', (query: string) => ({
    ...media,
    matches: width <= Number(/\d+/.exec(query)?.[0]),
  }))
  const links = [{ label: 'A chat client', link: '/chat/0' }]
  const items = [{ key: 'chats', label: 'Chat', link: '', children: links }]
  const Frame = () => (
    <Sidebar
      groups={[{ group: 'playground', title: '', items }]}
      current={undefined}
      {...useSidebar()}
    />
  )
  return render(
    <MemoryRouter>
      <Frame />
    </MemoryRouter>,
  )
}

it('begins collapsed in a narrow window, and keeps what is chosen there from wide ones', () => {
  usePreferences.getState().setSidebarCollapsed(false)
  const narrow = open(720)
  fireEvent.click(screen.getByRole('button', { name: 'Expand sidebar' }))
  fireEvent.click(screen.getByRole('button', { name: 'Collapse sidebar' }))
  narrow.unmount()
  open(1440)
  expect(screen.getByRole('button', { name: 'Collapse sidebar' })).toBeTruthy()
})

it('opens at an entry whose links it has no room for', () => {
  open(720)
  expect(screen.queryByRole('link', { name: 'A chat client' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Chat' }))
  expect(screen.getByRole('link', { name: 'A chat client' })).toBeTruthy()
})
