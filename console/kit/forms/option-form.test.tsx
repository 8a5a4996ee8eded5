import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { OptionForm } from './option-form.tsx'

const schema = {
  type: 'object',
  properties: {
    Address: { type: 'string', default: '' },
    AddressKey: { type: 'string', default: '', 'x-ui': { secret: true, boundTo: ['Address'] } },
  },
} as const

/** What is saved, in the order of the calls. */
function serve(refusal?: object) {
  const saved: unknown[] = []
  vi.stubGlobal('fetch', async (_path: string, { method, body }: RequestInit) => {
    if (method === 'PUT') saved.push(JSON.parse(body as string))
    const list = {
      success: true,
      data: [{ key: 'Address', value: 'https://a.test' }],
      secrets_set: ['AddressKey'],
    }
    return Response.json(method === 'PUT' ? (refusal ?? { success: true }) : list)
  })
  const client = new QueryClient()
  render(
    <QueryClientProvider client={client}>
      <OptionForm schema={schema as never} />
    </QueryClientProvider>,
  )
  return saved
}

async function changeAddress(): Promise<void> {
  const field = await screen.findByRole('textbox', { name: 'Address' })
  fireEvent.change(field, { target: { value: 'https://b.test' } })
}

const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }))

describe('an option that a secret is bound to', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('goes in one call with its secret', async () => {
    const saved = serve()
    await changeAddress()
    fireEvent.click(screen.getByText('Replace'))
    fireEvent.change(screen.getByLabelText('Address key'), { target: { value: 'new' } })
    save()
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(saved).toEqual([
      { key: 'Address', value: 'https://b.test', with: { AddressKey: 'new' } },
    ])
  })

  it('shows the refusal at the secret', async () => {
    serve({
      success: false,
      message: 'Enter the key again.',
      code: 'options.secret_needed',
      values: { field: 'AddressKey', key: 'Address' },
    })
    await changeAddress()
    save()
    const atSecret = { selector: '.schema-secret .schema-fault' }
    expect(await screen.findByText('Enter the key again.', atSecret)).toBeTruthy()
  })
})
