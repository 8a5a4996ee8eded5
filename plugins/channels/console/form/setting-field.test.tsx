import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import type { FieldSchema } from '#console'
import { SettingField } from './setting-field.tsx'

const common: FieldSchema = {
  type: 'object',
  properties: {
    multi_key: { type: 'boolean' },
    multi_key_mode: {
      anyOf: [{ const: 'random' }, { const: 'polling' }],
      'x-ui': { showIf: { multi_key: true } },
    },
  },
}
const own: FieldSchema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-ui': { label: { en: 'Place', zh: '地点' } } },
    messages: { type: 'boolean', 'x-ui': { widget: 'auto-switch' } },
    responses: { type: 'boolean', default: true },
  },
}

let text = ''

function Field() {
  const [value, setValue] = useState('{"odd":1}')
  text = value
  return <SettingField value={value} onChange={setValue} settings={own} namespace={undefined} />
}

afterEach(() => vi.unstubAllGlobals())

it('offers the settings of all channels beside those of the type, and keeps others', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ success: true, message: '', data: common }))
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Field />
    </QueryClientProvider>,
  )
  const several = await screen.findByRole('switch', { name: 'Several keys in this channel' })
  expect(screen.getByRole('switch', { name: 'Responses', checked: true })).toBeTruthy()
  expect(screen.getByText('Automatic')).toBeTruthy()
  expect(document.querySelector('[data-option=multi_key_mode]')).toBeNull()
  fireEvent.click(several)
  fireEvent.change(screen.getByLabelText('Place'), { target: { value: 'eu' } })
  expect(document.querySelector('[data-option=multi_key_mode]')).not.toBeNull()
  expect(JSON.parse(text)).toEqual({ odd: 1, multi_key: true, region: 'eu' })
})
