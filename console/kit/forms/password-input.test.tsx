import { Form } from '@arco-design/web-react'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { NewPassword, PasswordInput, RepeatedPassword } from './password-input.tsx'

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

it('says no longer that two passwords differ when the first one is corrected', async () => {
  render(
    <Form>
      <NewPassword label="Password" />
      <RepeatedPassword name="again" label="Again" />
    </Form>,
  )
  const type = (label: string, value: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } })
  type('Password', 'correct-hrose')
  type('Again', 'correct-horse')
  expect(await screen.findByText('The two passwords do not match.')).toBeTruthy()
  type('Password', 'correct-horse')
  await waitFor(() => expect(screen.queryByText('The two passwords do not match.')).toBeNull())
})
