import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiError, useStatusStore } from '#console'
import { discountFor, type Offer, soundAmount } from './offer.ts'
import { openPayment } from './open-payment.ts'
import { moneyText } from './order.ts'
import { PayCard } from './pay-card.tsx'
import WalletScreen from './wallet-screen.tsx'

const open: Offer = {
  enable_online_topup: true,
  methods: [
    { id: 'zfb', name: 'Alipay', currency: 'CNY', minimum: 5 },
    { id: 'wx', name: 'WeChat Pay', currency: 'CNY', minimum: 5 },
  ],
  amount_options: [1, 10, 100],
  amount_discount: { 100: 0.95 },
}
const closed: Offer = { ...open, enable_online_topup: false, methods: [] }

interface Call {
  method: string
  path: string
  body: Record<string, unknown> | undefined
}

function serve(offer: Offer, orders: readonly object[] = []): Call[] {
  const calls: Call[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const body = init.body
      ? (JSON.parse(init.body as string) as Record<string, unknown>)
      : undefined
    const { pathname } = new URL(address, 'http://console.test')
    calls.push({ method: init.method ?? 'GET', path: pathname, body })
    const answers: Record<string, unknown> = {
      '/api/user/self': { quota: 1_250_000, used_quota: 500_000, request_count: 12_345 },
      '/api/user/topup/info': offer,
      '/api/user/topup/self': { items: orders, total: orders.length },
      '/api/user/topup': 100_000,
      '/api/user/amount': (Number(body?.['amount']) * 7.3).toFixed(2),
    }
    return Response.json({ success: true, message: '', data: answers[pathname] })
  })
  return calls
}

function show(status: Record<string, unknown>) {
  useStatusStore.setState({ status: status as never })
  const router = createMemoryRouter([{ path: '*', element: <WalletScreen /> }])
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('the wallet', () => {
  it('says what is missing when nothing is set up', async () => {
    serve(closed)
    show({ enable_redemption: true, top_up_link: '' })
    expect(await screen.findByText(/has not enabled online top-up/)).toBeTruthy()
    expect(screen.getByText(/super admin has not set a top-up link/)).toBeTruthy()
    expect(screen.getByText('$2.50')).toBeTruthy()
    expect(screen.queryByText('Top-up history')).toBeNull()
  })

  it('misses no link to a shop where one can pay online', async () => {
    serve(open)
    show({ enable_redemption: true, top_up_link: '' })
    await screen.findByRole('button', { name: 'Pay' })
    expect(screen.getByRole('button', { name: 'Redeem' })).toBeTruthy()
    expect(screen.queryByText(/top-up link/)).toBeNull()
  })

  it('shows the figures of now when somebody comes back from paying', async () => {
    serve(open)
    show({})
    await screen.findByText('12,345')
    const data = { quota: 5_000_000, used_quota: 0, request_count: 12_346, items: [], total: 0 }
    vi.stubGlobal('fetch', async () => Response.json({ success: true, message: '', data }))
    window.dispatchEvent(new Event('visibilitychange'))
    expect(await screen.findByText('12,346')).toBeTruthy()
  })

  it('says of an order how much of it was refunded', async () => {
    const order = { trade_no: 'USR2NO1', quota: 5_000_000, money: '13.70', currency: 'USD' }
    const paid = { payment_method: 'stripe', status: 'success', create_time: 1, complete_time: 1 }
    serve(open, [
      { ...order, ...paid, id: 3, refunded_quota: 4_000_000 },
      { ...order, ...paid, id: 2, status: 'account_removed', refunded_quota: 5_000_000 },
      { ...order, ...paid, id: 1, refunded_quota: 0 },
    ])
    show({})
    expect(await screen.findByText('$8 refunded')).toBeTruthy()
    expect(screen.getByText('$10 refunded')).toBeTruthy()
    expect(screen.getAllByText('Paid')).toHaveLength(1)
  })

  it('redeems a code, without the spaces around it', async () => {
    const calls = serve(closed)
    show({ enable_redemption: true, top_up_link: 'https://shop.example.com' })
    const link = await screen.findByRole('link', { name: 'Where codes are sold' })
    expect(link.getAttribute('href')).toBe('https://shop.example.com')
    fireEvent.change(screen.getByLabelText(/Redemption code/), { target: { value: ' abc ' } })
    fireEvent.click(screen.getByRole('button', { name: 'Redeem' }))
    await waitFor(() =>
      expect(calls).toContainEqual({
        method: 'POST',
        path: '/api/user/topup',
        body: { key: 'abc' },
      }),
    )
  })

  it('asks for no code while the plugin of codes is off', async () => {
    serve(closed)
    show({ top_up_link: '' })
    await screen.findByText(/has not enabled online top-up/)
    expect(screen.queryByRole('button', { name: 'Redeem' })).toBeNull()
  })

  it('says what an amount costs before it is ordered', async () => {
    const calls = serve(open)
    show({ enable_redemption: true, top_up_link: '' })
    expect(await screen.findByText('¥36.50')).toBeTruthy()
    const pay = screen.getByRole<HTMLButtonElement>('button', { name: 'Pay' })
    expect(pay.disabled).toBe(false)
    fireEvent.click(screen.getByRole('button', { name: '$100' }))
    // Neither the price of another amount is shown, nor can an order be made at an unknown price.
    expect(screen.queryByText('¥36.50')).toBeNull()
    expect(pay.disabled).toBe(true)
    expect(await screen.findByText('¥730.00')).toBeTruthy()
    expect(screen.getByText('5% off')).toBeTruthy()
    // Below the minimum of the method.
    expect(screen.queryByRole('button', { name: '$1' })).toBeNull()
    expect(calls.filter(({ path }) => path === '/api/user/pay')).toEqual([])
    expect(calls.at(-1)?.body).toMatchObject({ amount: 100, payment_method: 'zfb' })
  })

  it('keeps the chosen amount when the offer cannot be read anew', () => {
    const error = new ApiError('The server is away.', 0)
    const offer = (more: object) =>
      ({ data: open, refresh: async () => {}, isLoading: false, ...more }) as never
    serve(open)
    const { rerender } = render(<PayCard offer={offer({})} onOrdered={() => {}} />)
    fireEvent.click(screen.getByRole('button', { name: '$100' }))
    rerender(<PayCard offer={offer({ error })} onOrdered={() => {}} />)
    expect(screen.getByText(/The server is away/)).toBeTruthy()
    expect(screen.getByRole<HTMLInputElement>('spinbutton', { name: /amount/ }).value).toBe('100')
  })

  it('takes 1 for an amount below it once the field is left, and leaves what is no whole number', async () => {
    serve(open)
    show({ enable_redemption: true, top_up_link: '' })
    const field = await screen.findByRole<HTMLInputElement>('spinbutton', { name: /amount/ })
    const leaveWith = (value: string) => {
      fireEvent.change(field, { target: { value } })
      fireEvent.blur(field)
      return field.value
    }
    expect(['0', '-3', '', '1.5', '10'].map(leaveWith)).toEqual(['1', '1', '1', '1.5', '10'])
  })
})

describe('amounts', () => {
  it('reach the highest step of the discounts', () => {
    const offer = { amount_discount: { 50: 0.98, 100: 0.95 } }
    expect([49, 50, 99, 100, 1000].map((amount) => discountFor(offer, amount))).toEqual([
      1, 0.98, 0.98, 0.95, 0.95,
    ])
  })

  it('are whole and at least 1', () => {
    expect([undefined, 0, -3, 0.5, 1.9, 10].map(soundAmount)).toEqual([1, 1, 1, 1, 1, 10])
  })

  it('are written as the currency is', () => {
    expect(moneyText('73.00', 'CNY', 'zh')).toBe('¥73.00')
    expect(moneyText('730', 'JPY', 'en')).toBe('¥730')
    expect(moneyText('1.00', '??', 'en')).toBe('1.00 ??')
  })
})

describe('the way to the payment page', () => {
  it('is a form in a new tab with the fields of the order', () => {
    const sent = vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(function (
      this: HTMLFormElement,
    ) {
      const fields = Object.fromEntries(new FormData(this).entries())
      expect({ fields, action: this.action, target: this.target }).toEqual({
        fields: { pid: '1', name: 'TUC10' },
        action: 'https://pay.test/submit.php',
        target: '_blank',
      })
    })
    openPayment({ data: { pid: '1', name: 'TUC10' }, url: 'https://pay.test/submit.php' })
    expect(sent).toHaveBeenCalledOnce()
    expect(document.querySelector('form[action^="https://pay"]')).toBeNull()
  })

  it('is never a script', () => {
    const sent = vi.spyOn(HTMLFormElement.prototype, 'submit').mockReturnValue()
    openPayment({ data: { pid: '1' }, url: 'javascript:alert(1)' })
    expect(sent).not.toHaveBeenCalled()
  })
})
