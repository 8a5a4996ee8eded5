import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useSession, useStatusStore } from '#console'
import { fuzzyRank } from './fuzzy.ts'
import {
  exampleCost,
  money,
  type PricedModel,
  picturePricesOf,
  pricesOf,
  stepPricesOf,
} from './price.ts'
import { narrowed } from './pricing-list.ts'
import PricingScreen from './pricing-screen.tsx'

const byToken: PricedModel = {
  model_name: 'gpt-4o',
  quota_type: 0,
  model_ratio: 1.25,
  model_price: 0,
  completion_ratio: 4,
  enable_groups: ['default', 'vip'],
}
const byCall: PricedModel = {
  ...byToken,
  model_name: 'mj_imagine',
  quota_type: 1,
  model_ratio: 0,
  completion_ratio: 0,
  model_price: 0.1,
  enable_groups: ['vip'],
}
const rates = { groupRatio: 0.8, quotaPerUnit: 500_000 }

describe('prices', () => {
  it('are dollars for a million tokens, or for a call, in the group', () => {
    expect(pricesOf(byToken, rates)).toMatchObject({ input: 2, output: 8 })
    expect(pricesOf(byCall, rates).call).toBeCloseTo(0.08)
    expect(money(exampleCost(byToken, rates))).toBe('$0.006')
  })

  it('rise with the length of the prompt', () => {
    const price_steps = [{ above: 200_000, input: 2, output: 1.5 }]
    const stepped = { ...byToken, cache_ratio: 0.1, price_steps }
    const [step] = stepPricesOf(stepped, rates)
    expect(step).toEqual({ above: 200_000, input: 4, output: 12, cached: 0.4 })
    expect(stepPricesOf(byToken, rates)).toEqual([])
  })

  it('are told of sound and pictures apart, where they have their own', () => {
    const media = { audio_ratio: 16, audio_completion_ratio: 2, image_completion_ratio: 60 }
    expect(pricesOf({ ...byToken, ...media }, rates)).toMatchObject({
      audio: 32,
      audioOutput: 64,
      image: undefined,
      imageOutput: 120,
    })
  })

  it('are told of cache writes that last and of pictures that cost a multiple', () => {
    const writes = { create_cache_1h_ratio: 2, create_cache_12h_ratio: 2.5 }
    expect(pricesOf({ ...byToken, ...writes }, rates)).toMatchObject({
      cacheWrite1h: 4,
      cacheWrite12h: 5,
    })
    const image_factors = [{ size: '1024x1792', quality: 'hd', factor: 3 }]
    const [picture] = picturePricesOf({ ...byCall, image_factors }, rates)
    expect(picture?.name).toBe('1024 × 1792, HD')
    expect(picture?.price).toBeCloseTo(0.24)
    expect(picturePricesOf(byToken, rates)).toEqual([])
  })

  it.each([
    [0, '$0'],
    [0.15, '$0.15'],
    [0.30000000000000004, '$0.30'],
    [1234.5, '$1,234.50'],
    [0.0000000375, '$0.0000000375'],
  ])('reads %d as %s', (dollars, text) => {
    expect(money(dollars)).toBe(text)
  })
})

describe('the search', () => {
  it.each([
    ['gpt-4o-mini', '4o', true],
    ['gpt-4o-mini', 'mini gpt', true],
    ['gpt-4o-mini', 'G4M', true],
    ['gpt-4o-mini', 'm4', false],
    ['gpt-4o-mini', '', true],
  ])('in %s for %j: %s', (name, search, isFound) => {
    expect(fuzzyRank(name, search) !== undefined).toBe(isFound)
  })

  it('puts what the group may use first', () => {
    const names = (group: string, keyword = '') =>
      narrowed([byCall, byToken], { keyword, billing: '', group: '' }, group).map(
        ({ model_name }) => model_name,
      )
    expect(names('default')).toEqual(['gpt-4o', 'mj_imagine'])
    expect(names('vip')).toEqual(['gpt-4o', 'mj_imagine'])
    expect(names('default', 'imag')).toEqual(['mj_imagine'])
  })
})

const twoGroups = { default: { ratio: 1, desc: 'Default' }, vip: { ratio: 0.5, desc: 'VIP' } }

function serve(models = [byCall, byToken], groups: object = twoGroups) {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address)
    const { pathname } = new URL(address, 'http://console.test')
    const data =
      pathname === '/api/mark/'
        ? { makers: [], marks: {}, providers: {} }
        : pathname === '/api/pricing'
          ? models
          : pathname === '/api/pricing/tools'
            ? { web_search: 10, 'web_search:gemini*': 14 }
            : groups
    return Response.json({ success: true, message: '', data })
  })
  return asked
}

function show() {
  const router = createMemoryRouter([{ path: '*', element: <PricingScreen /> }])
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}

beforeEach(() => {
  useSession.setState({ user: undefined })
  useStatusStore.setState({ status: { self_use_mode_enabled: false } as never })
})
afterEach(() => vi.unstubAllGlobals())

describe('the price list', () => {
  it('tells visitors whose prices these are, and works them out for the group that is pressed', async () => {
    const asked = serve()
    show()
    expect(await screen.findByText(/You are not signed in/)).toBeTruthy()
    expect(await screen.findByText('in $2.50 / 1M')).toBeTruthy()
    const groups = screen.getByRole('group', { name: 'Prices of the group' })
    fireEvent.click(within(groups).getByRole('button', { name: /vip/ }))
    expect(await screen.findByText('in $1.25 / 1M')).toBeTruthy()
    expect(screen.getByText('$0.05 per call')).toBeTruthy()
    expect(asked.filter((address) => address.startsWith('/api/pricing'))).toEqual(['/api/pricing'])
  })

  it('offers many groups in a list, which leaves the prices in sight', async () => {
    const teams = Array.from({ length: 200 }, (_, at) => [`team-${at}`, { ratio: 0.5, desc: '' }])
    serve(undefined, { default: { ratio: 1, desc: '' }, ...Object.fromEntries(teams) })
    show()
    const list = await screen.findByRole('combobox', { name: 'Prices of the group' })
    fireEvent.click(list)
    fireEvent.click(await screen.findByRole('option', { name: 'team-0 × 0.5' }))
    expect(await screen.findByText('in $1.25 / 1M')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /team-1/ })).toBeNull()
  })

  it('names the own group of whoever is signed in', async () => {
    useSession.setState({ user: { id: 3, username: 'ada', role: 1, group: 'vip' } })
    serve()
    show()
    expect(await screen.findByText('Your default group is vip, with ratio 0.5.')).toBeTruthy()
    await waitFor(() =>
      expect(screen.getAllByText('Group vip may use this model.')).toHaveLength(2),
    )
  })

  it('says of a model that nobody has priced that calls are refused', async () => {
    serve([{ ...byToken, is_priced: false }])
    show()
    expect(await screen.findByText('no price yet')).toBeTruthy()
    expect(screen.getByText(/^This model has no price: calls are refused/)).toBeTruthy()
    expect(screen.queryByText('Group default may use this model.')).toBeNull()
    act(() => useStatusStore.setState({ status: { self_use_mode_enabled: true } as never }))
    expect(screen.getByText('Group default may use this model.')).toBeTruthy()
    expect(screen.queryByText('no price yet')).toBeNull()
  })

  it('marks models that cost more for long prompts, and says how much', async () => {
    const price_steps = [{ above: 200_000, input: 2, output: 1.5 }]
    serve([{ ...byToken, cache_ratio: 0.1, audio_ratio: 16, price_steps }])
    show()
    expect(await screen.findByText('by length')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: /details|expand/i }))
    expect(await screen.findByText('Prompts above 200,000 tokens')).toBeTruthy()
    expect(screen.getByText('in $5, cached $0.50, out $15 per 1M tokens')).toBeTruthy()
    expect(screen.getByText('$40 per 1M tokens')).toBeTruthy()
  })

  it('works an example out', async () => {
    serve()
    show()
    fireEvent.click(await screen.findByRole('button', { name: 'How ratios make a price' }))
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByText(/= \$0\.0075/)).toBeTruthy()
  })

  it('tells what tools cost, in the group that is shown', async () => {
    serve()
    show()
    const groups = await screen.findByRole('group', { name: 'Prices of the group' })
    fireEvent.click(within(groups).getByRole('button', { name: /vip/ }))
    fireEvent.click(screen.getByRole('button', { name: 'Tool prices' }))
    const dialog = await screen.findByRole('dialog')
    expect(await within(dialog).findByText('web_search:gemini*')).toBeTruthy()
    expect(within(dialog).getByText('$7')).toBeTruthy()
    expect(within(dialog).getByText('$5')).toBeTruthy()
  })
})
