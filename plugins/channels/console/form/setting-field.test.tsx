import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { type ComponentProps, useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { FieldSchema } from '#console'
import { SettingField } from './setting-field.tsx'

const common: FieldSchema = {
  type: 'object',
  properties: {
    system_prompt: { type: 'string' },
    system_prompt_override: { type: 'boolean', 'x-ui': { showIf: { system_prompt: true } } },
    multi_key: { type: 'boolean' },
    multi_key_mode: {
      anyOf: [{ const: 'random' }, { const: 'polling' }],
      default: 'random',
      'x-ui': { showIf: { multi_key: true } },
    },
    headers: { type: 'string', 'x-ui': { secret: true, widget: 'textarea' } },
  },
}
const own: FieldSchema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-ui': { label: { en: 'Place', zh: '地点' } } },
    served: { type: 'boolean', default: true },
    surface: { type: 'boolean', 'x-ui': { widget: 'auto-switch' } },
  },
}

const typed = vi.fn<(text: string) => void>()

function Field({
  initial,
  ...rest
}: { initial: string } & Partial<ComponentProps<typeof SettingField>>) {
  const [value, setValue] = useState(initial)
  return (
    <SettingField
      value={value}
      onChange={(text) => {
        typed(text)
        setValue(text)
      }}
      settings={own}
      namespace={undefined}
      {...rest}
    />
  )
}

async function open(initial: string, rest: Partial<ComponentProps<typeof SettingField>> = {}) {
  const client = new QueryClient()
  const shown = (more: typeof rest) => (
    <QueryClientProvider client={client}>
      <Field initial={initial} {...rest} {...more} />
    </QueryClientProvider>
  )
  const { rerender } = render(shown({}))
  await screen.findByText('Several keys in this channel')
  return (more: typeof rest) => rerender(shown(more))
}

beforeEach(() => {
  typed.mockClear()
  vi.stubGlobal('fetch', async () => Response.json({ success: true, message: '', data: common }))
})
afterEach(() => vi.unstubAllGlobals())

const option = (name: string) => document.querySelector(`[data-option=${name}]`)
const control = (name: string) => option(name)?.querySelector('button, input, textarea') as Element
const setting = () => JSON.parse(typed.mock.lastCall?.[0] ?? '{}') as unknown

it('offers the settings of all channels beside those of the type, and keeps others', async () => {
  await open('{"odd":1}')
  expect(option('multi_key_mode')).toBeNull()
  fireEvent.click(control('multi_key'))
  fireEvent.change(screen.getByLabelText('Place'), { target: { value: 'eu' } })
  expect(option('multi_key_mode')?.textContent).toContain('Any')
  expect(setting()).toEqual({ odd: 1, multi_key: true, region: 'eu' })
})

it('shows what holds where nothing is said, and writes only what was changed', async () => {
  await open('{}')
  expect(control('served').getAttribute('aria-checked')).toBe('true')
  fireEvent.click(control('served'))
  expect(setting()).toEqual({ served: false })
})

it('leaves the choice between yes, no and neither', async () => {
  await open('{"surface":false}')
  expect(option('surface')?.textContent).toContain('Off')
  fireEvent.click(option('surface')?.querySelector('[role=combobox]') as Element)
  fireEvent.click(await screen.findByRole('option', { name: 'On' }))
  expect(setting()).toEqual({ surface: true })
})

it('asks whom instructions are for once there are any', async () => {
  await open('')
  expect(option('system_prompt_override')).toBeNull()
  fireEvent.change(control('system_prompt'), { target: { value: 'Be brief.' } })
  expect(option('system_prompt_override')).not.toBeNull()
})

it('says of stored secrets that would go to another host what is to be done with them', async () => {
  await open('', { secretsSet: ['headers'], isMoved: true })
  expect(option('headers')?.textContent).toContain('It would go to another host.')
  fireEvent.click(screen.getByRole('button', { name: 'Remove' }))
  expect(option('headers')?.textContent).not.toContain('It would go to another host.')
  expect(setting()).toEqual({ headers: '' })
})

it('shows a refusal at the setting that it is about, until that is changed', async () => {
  const text = '{"headers":"nonsense"}'
  const change = await open(text)
  change({ fault: { key: 'headers', message: 'no header', text } })
  expect(option('headers')?.textContent).toContain('no header')
  expect(option('region')?.textContent).not.toContain('no header')
  expect(document.activeElement).toBe(control('headers'))
  fireEvent.change(control('headers'), { target: { value: 'X-A: b' } })
  expect(option('headers')?.textContent).not.toContain('no header')
})
