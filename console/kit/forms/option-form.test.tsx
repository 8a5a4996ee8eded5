import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ConfirmHost } from '../confirm.tsx'
import { useOptions } from '../../api/use-options.ts'
import { OptionForm } from './option-form.tsx'
import type { FieldSchema } from './schema.ts'

type Refusal = (key: string) => object | undefined

/** Nothing is asked for twice. */
const once = { defaultOptions: { queries: { retry: false } } }

/** The saved values, in the order of the calls. */
function serve(
  properties: Record<string, unknown>,
  values: Record<string, string>,
  { secretsSet = [], refuse = () => undefined }: { secretsSet?: string[]; refuse?: Refusal } = {},
) {
  const saved: { key: string; value: string; shown?: string; with?: object }[] = []
  const stored = { ...values }
  vi.stubGlobal('fetch', async (_path: string, { method, body }: RequestInit) => {
    if (method !== 'PUT') {
      const data = Object.entries(stored).map(([key, value]) => ({ key, value }))
      return Response.json({ success: true, data, secrets_set: secretsSet })
    }
    const change = JSON.parse(body as string) as (typeof saved)[number]
    const refusal = refuse(change.key)
    if (refusal) return Response.json(refusal)
    saved.push(change)
    stored[change.key] = change.value
    return Response.json({ success: true })
  })
  const schema = { type: 'object', properties } as FieldSchema
  render(
    <QueryClientProvider client={new QueryClient(once)}>
      <OptionForm schema={schema} />
      <Replacement keys={['First']} />
      <ConfirmHost />
    </QueryClientProvider>,
  )
  return saved
}

/** Changes options from outside the form, as a reset or a restored value does. */
function Replacement({ keys }: { keys: readonly string[] }) {
  const { refresh } = useOptions()
  return <button onClick={() => void refresh(keys)}>Reset stored</button>
}

const change = async (name: string, value: string) =>
  fireEvent.change(await screen.findByRole('textbox', { name }), { target: { value } })
const saveButton = () => screen.getByRole('button', { name: 'Save' })
const save = () => fireEvent.click(saveButton())

afterEach(() => vi.unstubAllGlobals())

const text = { type: 'string', default: '' }
const flag = { type: 'boolean', default: false }

describe('saving options', () => {
  it('sends only what changed, one call a key, and switches on last', async () => {
    const saved = serve({ Enabled: flag, First: text, Second: text }, { First: 'a', Second: 'b' })
    expect(await screen.findByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
    fireEvent.click(screen.getByRole('switch', { name: 'Enabled' }))
    await change('Second', 'c')
    save()
    await screen.findByText('Settings saved.')
    expect(saved).toEqual([
      { key: 'Second', value: 'c', shown: 'b' },
      { key: 'Enabled', value: 'true' },
    ])
    await waitFor(() => expect(saveButton()).toHaveProperty('disabled', true))
  })

  it('drops what is typed where something else has set the option, and there alone', async () => {
    serve({ First: text, Second: text }, { First: 'a', Second: 'b' })
    await change('First', 'typed')
    await change('Second', 'kept')
    fireEvent.click(screen.getByRole('button', { name: 'Reset stored' }))
    await waitFor(() =>
      expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'First' }).value).toBe('a'),
    )
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Second' }).value).toBe('kept')
  })

  it('offers values to choose, with their unit where they have one', async () => {
    const number = { type: 'integer', default: 0 }
    const saved = serve(
      {
        Port: { ...number, 'x-ui': { presets: [25, 465] } },
        Minutes: { ...number, 'x-ui': { presets: [5], unit: 'minutes' } },
      },
      { Port: '587', Minutes: '1' },
    )
    await screen.findByRole('button', { name: '5 minutes' })
    fireEvent.click(screen.getByRole('button', { name: '465' }))
    save()
    await screen.findByText('Settings saved.')
    expect(saved).toEqual([{ key: 'Port', value: '465', shown: '587' }])
  })

  it('says that nothing was changed when Enter is pressed all the same', async () => {
    const saved = serve({ First: text }, { First: 'a' })
    fireEvent.keyDown(await screen.findByRole('textbox', { name: 'First' }), { key: 'Enter' })
    await screen.findByText('You seem not to have changed anything.')
    expect(saved).toEqual([])
  })

  it('keeps what failed with its reason, and says what was saved', async () => {
    const saved = serve(
      { First: text, Second: text },
      {},
      {
        refuse: (key) =>
          key === 'First' ? { success: false, message: 'First is odd.' } : undefined,
      },
    )
    await change('First', 'x')
    await change('Second', 'y')
    save()
    await screen.findByText('Some saves failed, retry. The reason stands below each.')
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'First' })),
    )
    expect(screen.getByText('First is odd.')).toBeTruthy()
    expect(screen.getByText('Saved.')).toBeTruthy()
    expect(saved).toEqual([{ key: 'Second', value: 'y' }])
    expect(screen.getByRole('textbox', { name: 'First' })).toHaveProperty('value', 'x')
    expect(saveButton()).toHaveProperty('disabled', false)
  })

  it('stays with its reasons where the server went away meanwhile', async () => {
    serve({ First: text, Second: text }, { First: 'a', Second: 'b' })
    await change('Second', 'c')
    const away = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')))
    vi.stubGlobal('fetch', away)
    save()
    // It is saved, then the options are read again.
    await waitFor(() => expect(away).toHaveBeenCalledTimes(2))
    await screen.findByText('Save failed, retry. The reason stands below each.')
    expect(screen.getByRole('textbox', { name: 'Second' })).toHaveProperty('value', 'c')
    expect(screen.getAllByText(/Could not reach the server/)).toHaveLength(1)
  })

  it('sends nothing while a value is wrong', async () => {
    const map = { type: 'object', patternProperties: {}, default: {} }
    const saved = serve({ Map: map }, { Map: '{"a":1}' })
    await change('Map', '{"a":')
    save()
    await screen.findByText('Please check the input.')
    expect(saved).toEqual([])
  })

  it('takes another layout of JSON for no change', async () => {
    serve({ Map: { type: 'object', patternProperties: {}, default: {} } }, { Map: '{"a":1}' })
    await change('Map', ' {  "a": 1 }')
    expect(saveButton()).toHaveProperty('disabled', true)
  })

  it('asks for what must be set first', async () => {
    const payment = { ...text, 'x-ui': { needs: ['ServerAddress'] } }
    const saved = serve({ PayAddress: payment }, { ServerAddress: '' })
    await change('Pay address', 'https://pay.test')
    save()
    await screen.findByText('Set “Server address” and save it first.')
    expect(saved).toEqual([])
  })
})

describe('fields that depend on others', () => {
  it('are drawn while the others say so', async () => {
    const dependent = { ...text, 'x-ui': { showIf: { Enabled: true } } }
    serve({ Enabled: flag, Word: dependent }, {})
    const toggle = await screen.findByRole('switch', { name: 'Enabled' })
    expect(screen.queryByRole('textbox', { name: 'Word' })).toBeNull()
    fireEvent.click(toggle)
    expect(screen.getByRole('textbox', { name: 'Word' })).toBeTruthy()
  })
})

describe('an option that a secret is bound to', () => {
  const properties = {
    Address: text,
    AddressKey: { ...text, 'x-ui': { secret: true, boundTo: ['Address'] } },
  }
  const shown = 'https://a.test'
  const values = { Address: shown }
  const secretsSet = ['AddressKey']

  it('goes in one call with its secret', async () => {
    const saved = serve(properties, values, { secretsSet })
    await change('Address', 'https://b.test')
    fireEvent.click(screen.getByText('Replace'))
    fireEvent.change(screen.getByLabelText('Address key'), { target: { value: 'new' } })
    save()
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(saved).toEqual([
      { key: 'Address', value: 'https://b.test', shown, with: { AddressKey: 'new' } },
    ])
  })

  it('clears the secret with the address', async () => {
    const saved = serve(properties, values, { secretsSet })
    await change('Address', '')
    save()
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(saved).toEqual([{ key: 'Address', value: '', shown, with: { AddressKey: '' } }])
  })

  it('stays when the secret alone is removed', async () => {
    const saved = serve(properties, values, { secretsSet })
    fireEvent.click(await screen.findByText('Remove'))
    expect(screen.getByText('Will be removed when you save')).toBeTruthy()
    save()
    await waitFor(() => expect(saved).toEqual([{ key: 'AddressKey', value: '' }]))
  })

  it('keeps the secret when its removal is cancelled', async () => {
    serve(properties, values, { secretsSet })
    fireEvent.click(await screen.findByText('Remove'))
    fireEvent.click(screen.getByText('Cancel'))
    expect(screen.getByText('Replace')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
  })

  it('shows the refusal at the secret', async () => {
    const refusal = {
      success: false,
      message: 'Enter the key again.',
      code: 'options.secret_needed',
      values: { field: 'AddressKey', key: 'Address' },
    }
    serve(properties, values, { secretsSet, refuse: () => refusal })
    await change('Address', 'https://b.test')
    save()
    const atSecret = { selector: '.schema-secret .schema-fault' }
    expect(await screen.findByText('Enter the key again.', atSecret)).toBeTruthy()
  })
})
