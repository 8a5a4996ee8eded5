import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ModelPicker } from './model-picker.tsx'

const found = Array.from({ length: 300 }, (_, at) => `model-${at}`)

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
        found={found}
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

  // By role they would be looked for among thousands of elements, each with its style.
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
