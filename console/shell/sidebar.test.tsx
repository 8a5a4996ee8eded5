import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, expect, it, vi } from 'vitest'
import { SidebarMenu } from './sidebar.tsx'

afterEach(() => vi.restoreAllMocks())

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
