import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { prove, ProveHost } from './prove.tsx'

afterEach(() => vi.unstubAllGlobals())

it('sends the whole password, however long: a shorter one would be a wrong one', async () => {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (_address: string, { method, body }: RequestInit) => {
    if (method === 'POST') sent.push(JSON.parse(body as string))
    return Response.json({ success: true, message: '', data: { methods: ['password'] } })
  })
  render(<ProveHost />)
  const proved = prove()
  const field = await screen.findByLabelText<HTMLInputElement>('Your password', {
    selector: 'input',
  })
  expect(field.maxLength).toBe(-1)
  const password = 'long '.repeat(40).trim()
  fireEvent.change(field, { target: { value: password } })
  fireEvent.click(screen.getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(sent).toEqual([{ method: 'password', password }]))
  expect(await proved).toBe(true)
})
