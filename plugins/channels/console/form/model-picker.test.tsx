import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useRegistry, useSession } from '#console'
import type { Channel } from '../channel.ts'
import { emptyChannel } from './channel-form.ts'
import { ModelPicker } from './model-picker.tsx'
import { groupByTag, modelsOf } from '../tag-rows.ts'

const noMarks = { makers: [], marks: {}, providers: {} }

function serve(unpriced: string[]) {
  const asked: unknown[] = []
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    if (body === undefined) return Response.json({ success: true, message: '', data: noMarks })
    asked.push(JSON.parse(body as string))
    return Response.json({ success: true, message: '', data: unpriced })
  })
  return asked
}

function showPicker(found: string[]) {
  const picker = (
    <ModelPicker found={found} chosen={[]} onPick={() => undefined} onClose={() => undefined} />
  )
  const router = createMemoryRouter([{ path: '*', element: picker }])
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}

const rowOf = async (name: string) =>
  within((await screen.findByText(name)).closest<HTMLElement>('li') ?? document.body)

afterEach(() => {
  vi.unstubAllGlobals()
  useRegistry.setState({ screens: [] })
})

describe('a model without a price', () => {
  it('is told beside its name in the list of what the provider has', async () => {
    const asked = serve(['new-model'])
    showPicker(['new-model', 'gpt-4o'])
    const row = await rowOf('new-model')
    await waitFor(() => expect(row.getByText('no price yet')).toBeTruthy())
    expect((await rowOf('gpt-4o')).queryByText('no price yet')).toBeNull()
    expect(asked).toEqual([{ models: ['gpt-4o', 'new-model'] }])
  })

  it('leads to the options where the console has them', async () => {
    serve(['new-model'])
    const load = async () => ({ default: () => null })
    useRegistry.setState({
      screens: [{ path: '/setting', title: 'x', access: 'root', owner: 'options', load }],
    })
    useSession.setState({ user: { id: 1, username: 'root', role: 100, group: 'default' } })
    showPicker(['new-model'])
    const link = await screen.findByRole('link', { name: 'no price yet' })
    expect(link.getAttribute('href')).toBe('/setting?prices=unset_models#prices')
  })

  it('is looked for among all channels of a tag', () => {
    const { groups: _, ...fields } = emptyChannel
    const channel = { ...fields, id: 1, group: '', tag: 'a', auto_ban: 0, models: '' } as Channel
    const [row] = groupByTag([
      { ...channel, models: 'a,b' },
      { ...channel, id: 2, models: 'b,c' },
    ])
    expect(row && modelsOf(row)).toEqual(['a', 'b', 'c'])
  })
})

const manyModels = Array.from({ length: 300 }, (_, at) => `model-${at}`)

describe('a provider with hundreds of models', () => {
  let taken: string[] | undefined
  beforeEach(() => {
    taken = undefined
    vi.stubGlobal('fetch', async (url: string) =>
      Response.json({
        success: true,
        message: '',
        data: url.includes('mark') ? { makers: [], marks: {}, providers: {} } : [],
      }),
    )
    const picker = (
      <ModelPicker
        found={manyModels}
        chosen={['model-0']}
        onPick={(models) => (taken = models)}
        onClose={() => undefined}
      />
    )
    const router = createMemoryRouter([{ path: '*', element: picker }])
    render(
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    )
  })
  afterEach(() => vi.unstubAllGlobals())

  // Not by role: that would compute the style of thousands of elements.
  const drawn = () => Array.from(document.querySelectorAll('.channel-picker li'))

  it('draws the first of them, and says how many there are beside', () => {
    expect(drawn()).toHaveLength(201)
    expect(screen.getByText(/^99 more/)).toBeTruthy()
  })

  it('finds the others by a word', () => {
    fireEvent.change(screen.getByPlaceholderText('Search models'), { target: { value: '-277' } })
    expect(drawn().map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('model-277'),
    ])
    expect(screen.queryByText(/ more/)).toBeNull()
  })

  it('ticks all at once, those that are not drawn included', () => {
    fireEvent.click(screen.getByLabelText('New (299)', { selector: 'input' }))
    fireEvent.click(screen.getByText('Use 300 models'))
    expect(taken).toHaveLength(300)
  })
})
