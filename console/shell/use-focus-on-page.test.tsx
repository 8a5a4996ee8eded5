import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Link, MemoryRouter, Route, Routes, useLocation } from 'react-router-dom'
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
        </Routes>
      </main>
    </>
  )
}

it.each([
  { link: 'log of ada', focused: 'main' },
  { link: 'menu', focused: 'link' },
])('leaves the focus on the $focused after the link "$link"', ({ link, focused }) => {
  render(
    <MemoryRouter initialEntries={['/user']}>
      <Frame />
    </MemoryRouter>,
  )
  const pressed = screen.getByRole('link', { name: link })
  act(() => pressed.focus())
  fireEvent.click(pressed)
  expect(screen.getByText('calls')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByRole(focused))
})
