import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import Markdown from './markdown.tsx'

it('shows tables, and addresses without brackets as links', () => {
  render(
    <Markdown
      text={'| Model | Price |\n|---|---|\n| gpt-6 | 2 |\n\nSee https://example.com/news'}
    />,
  )
  expect(screen.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual([
    'Model',
    'Price',
  ])
  const link = screen.getByRole('link', { name: 'https://example.com/news' })
  expect(link.getAttribute('rel')).toBe('noopener noreferrer')
})
