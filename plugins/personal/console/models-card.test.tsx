import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { beforeEach, expect, it, vi } from 'vitest'
import { ModelsCard } from './models-card.tsx'

function show(names: readonly string[]) {
  vi.stubGlobal('fetch', async () => Response.json({ success: true, message: '', data: names }))
  return render(
    <MemoryRouter>
      <QueryClientProvider client={new QueryClient()}>
        <ModelsCard />
      </QueryClientProvider>
    </MemoryRouter>,
  )
}

const many = Array.from({ length: 25 }, (_, at) => `model-${at}`)

beforeEach(() => {
  localStorage.clear()
  return () => vi.unstubAllGlobals()
})

it('shows twenty, all when asked, and remembers it', async () => {
  const { unmount } = show(many)
  expect(await screen.findByText('model-19')).toBeTruthy()
  expect(screen.queryByText('model-20')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Show all 25 models' }))
  expect(screen.getByText('model-24')).toBeTruthy()
  expect(localStorage.getItem('modelsExpanded')).toBe('true')
  unmount()
  show(many)
  expect(await screen.findByText('model-24')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Show fewer' }))
  expect(screen.queryByText('model-24')).toBeNull()
})

it('says that there is none', async () => {
  show([])
  expect(await screen.findByText('No model yet')).toBeTruthy()
})
