import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { expect, it } from 'vitest'
import { NotFoundScreen } from './not-found-screen.tsx'

it('names the site in the title of a page that does not exist, as on any other', async () => {
  render(
    <MemoryRouter>
      <NotFoundScreen />
    </MemoryRouter>,
  )
  const { textContent } = await screen.findByRole('heading')
  expect(document.title).toBe(`${textContent} · Tollgate`)
})
