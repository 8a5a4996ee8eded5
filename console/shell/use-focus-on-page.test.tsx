import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Link, MemoryRouter, Route, Routes, useLocation } from 'react-router-dom'
import { FocusReturn } from '../kit/focus-return.tsx'
import { useFocusOnPage } from './use-focus-on-page.ts'

function Frame() {
  useFocusOnPage(useLocation().pathname)
  return (
    <>
      <Link to="/log">menu</Link>
      <main id="content" tabIndex={-1}>
        <Routes>
          <Route path="/user" element={<Link to="/log">log of ada</Link>} />
          <Route path="/log" element={<p>calls</p>} />
          <Route path="/channel/*" element={<Channels />} />
        </Routes>
      </main>
    </>
  )
}

/** A list with a drawer that has an address of its own. */
function Channels() {
  return (
    <>
      <Link to="/channel/edit/1">edit</Link>
      <Routes>
        <Route
          path="edit/:id"
          element={
            <div role="dialog">
              <FocusReturn />
              <Link to="/channel">close</Link>
            </div>
          }
        />
        <Route path="*" element={null} />
      </Routes>
    </>
  )
}

function follow(name: string) {
  const link = screen.getByRole('link', { name })
  act(() => link.focus())
  fireEvent.click(link)
}

function open(address: string) {
  render(
    <MemoryRouter initialEntries={[address]}>
      <Frame />
    </MemoryRouter>,
  )
}

it.each([
  { link: 'log of ada', focused: 'main' },
  { link: 'menu', focused: 'link' },
])('leaves the focus on the $focused after the link "$link"', async ({ link, focused }) => {
  open('/user')
  follow(link)
  expect(screen.getByText('calls')).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole(focused)))
})

it('leaves the focus on what opened a drawer that goes with its address', async () => {
  open('/channel')
  follow('edit')
  follow('close')
  await waitFor(() => expect(document.activeElement).not.toBe(document.body))
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'edit' }))
})
