import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { PasswordInput } from './password-input.tsx'

it('shows what was typed by a button that has a name', async () => {
  render(<PasswordInput aria-label="Password" defaultValue="correct horse" />)
  const field = screen.getByLabelText<HTMLInputElement>('Password')
  expect(field.type).toBe('password')
  fireEvent.click(await screen.findByRole('button', { name: 'Show' }))
  expect(field.type).toBe('text')
  fireEvent.click(screen.getByRole('button', { name: 'Hide' }))
  expect(field.type).toBe('password')
  expect(field.value).toBe('correct horse')
})
