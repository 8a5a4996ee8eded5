import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ProviderPicker } from './provider-picker.tsx'

const type = (number: number, name: string, section: string | null) => ({
  type: number,
  name,
  zh: null,
  section,
  aliases: name === 'Moonshot' ? ['Kimi'] : [],
  adapter: name,
  summary: '',
  base_url: '',
  models: [],
  form: {},
  settings: null,
  is_testable: true,
  has_balance: false,
})
const types = [type(1, 'OpenAI', 'popular'), type(25, 'Moonshot', 'china'), type(99, 'Own', null)]

async function open(value: number) {
  vi.stubGlobal('fetch', async (address: string) => {
    const data = address.startsWith('/api/channel/types')
      ? types
      : { makers: [], marks: {}, providers: {} }
    return Response.json({ success: true, message: '', data })
  })
  const onChange = vi.fn()
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ProviderPicker value={value} onChange={onChange} />
    </QueryClientProvider>,
  )
  fireEvent.click(await screen.findByRole('button', { name: /^Provider: [A-Z]/ }))
  return { onChange, search: await screen.findByRole('combobox') }
}

/** The option that Enter would take. */
const current = (search: HTMLElement) =>
  document.getElementById(search.getAttribute('aria-activedescendant') ?? '')?.textContent ?? ''

afterEach(() => vi.unstubAllGlobals())

describe('the choice of a provider', () => {
  it('starts at the chosen one and is walked by the arrows, section by section', async () => {
    const { onChange, search } = await open(1)
    expect(screen.getAllByRole('group').map((part) => part.getAttribute('aria-label'))).toEqual([
      'Popular',
      'China',
      'More providers',
    ])
    expect(current(search)).toContain('OpenAI')
    fireEvent.keyDown(search, { key: 'ArrowDown' })
    expect(current(search)).toContain('Moonshot')
    for (let times = 0; times < 5; times++) fireEvent.keyDown(search, { key: 'ArrowDown' })
    expect(current(search)).toContain('Own')
    fireEvent.keyDown(search, { key: 'Enter' })
    expect(onChange).toHaveBeenCalledWith(99)
  })

  it('takes the first match of a search by Enter', async () => {
    const { onChange, search } = await open(1)
    fireEvent.change(search, { target: { value: 'kimi' } })
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1))
    // Safari, where the key confirms a word of an input method.
    fireEvent.keyDown(search, { key: 'Enter', keyCode: 229 })
    expect(onChange).not.toHaveBeenCalled()
    fireEvent.keyDown(search, { key: 'Enter' })
    expect(onChange).toHaveBeenCalledWith(25)
  })

  it('says what to do when nothing matches', async () => {
    const { onChange, search } = await open(1)
    fireEvent.change(search, { target: { value: 'nobody' } })
    expect(await screen.findByText('No provider matches')).toBeTruthy()
    fireEvent.keyDown(search, { key: 'Enter' })
    expect(onChange).not.toHaveBeenCalled()
  })
})
