import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { useStatusStore } from '#console'
import type { Token } from '../schema.ts'
import { stateOf } from './token.ts'
import { batchNames, bodyOf, emptyForm, formOf } from './token-form.ts'
import TokensScreen from './tokens-screen.tsx'

const token: Token = {
  id: 3,
  name: 'laptop',
  key: 'AbCdEfGhIjKl',
  status: 1,
  remain_quota: 500_000,
  used_quota: 0,
  shown_remain_quota: 500_000,
  unlimited_quota: false,
  expired_time: -1,
  created_time: 1_795_000_000,
  accessed_time: 1_795_000_000,
  model_limits_enabled: false,
  model_limits: '',
  allow_ips: '',
  group: '',
}

interface Call {
  method: string
  path: string
  body: Record<string, unknown> | undefined
}

const ownGroups = { default: { desc: 'Default', ratio: 1 } }

/** A server with one token, which answers each POST with the created row. */
function serve(quota = 500_000, groups: object = ownGroups, row = token): Call[] {
  const calls: Call[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const body = init.body
      ? (JSON.parse(init.body as string) as Record<string, unknown>)
      : undefined
    const { pathname } = new URL(address, 'http://console.test')
    calls.push({ method: init.method ?? 'GET', path: address, body })
    const data =
      init.method === 'POST'
        ? { ...token, ...body, id: calls.length, key: `key${calls.length}longenough` }
        : pathname === '/api/token/' && init.method === 'GET'
          ? [row]
          : pathname.endsWith('groups')
            ? groups
            : pathname === '/api/user/self'
              ? { quota }
              : []
    return Response.json({ success: true, message: '', data })
  })
  return calls
}

function show() {
  const router = createMemoryRouter([{ path: '*', element: <TokensScreen /> }])
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}

afterEach(() => {
  vi.unstubAllGlobals()
  useStatusStore.setState({ status: undefined })
})

describe('the token screen', () => {
  it('makes several tokens with one call each and shows their keys', async () => {
    const calls = serve()
    show()
    fireEvent.click(await screen.findByRole('button', { name: 'Create token' }))
    const drawer = await screen.findByRole('dialog')
    fireEvent.change(within(drawer).getByLabelText(/^Name/), { target: { value: 'batch' } })
    const count = within(drawer).getByLabelText('How many')
    fireEvent.change(count, { target: { value: '3' } })
    fireEvent.click(within(drawer).getByRole('button', { name: 'Create token' }))
    expect(await screen.findByText('3 tokens created')).toBeTruthy()
    const names = calls.filter(({ method }) => method === 'POST').map(({ body }) => body?.name)
    expect(names).toEqual([
      'batch',
      expect.stringMatching(/^batch-\w{6}$/),
      expect.stringMatching(/^batch-\w{6}$/),
    ])
  })

  it.each([
    { quota: 500_000, count: 0 },
    { quota: 0, count: 1 },
    { quota: -1, count: 1 },
  ])('warns before the first call where the balance is $quota', async ({ quota, count }) => {
    serve(quota)
    show()
    await screen.findByText('laptop')
    await waitFor(() => expect(screen.queryAllByText(/Your balance is/)).toHaveLength(count))
  })

  it('names a token that a program made without a name by its number', async () => {
    serve(500_000, ownGroups, { ...token, name: '' })
    show()
    expect(await screen.findByText('#3')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Disable: #3' })).toBeTruthy()
  })

  it('refuses to save without a name', async () => {
    const calls = serve()
    show()
    fireEvent.click(await screen.findByRole('button', { name: 'Create token' }))
    const drawer = await screen.findByRole('dialog')
    fireEvent.click(within(drawer).getByRole('button', { name: 'Create token' }))
    expect(await within(drawer).findByText('This is needed.')).toBeTruthy()
    expect(calls.some(({ method }) => method === 'POST')).toBe(false)
  })

  it('lets a new token begin with the automatic choice of a group where that is set', async () => {
    useStatusStore.setState({
      status: { quota_per_unit: 500_000, default_use_auto_group: true } as never,
    })
    const calls = serve(500_000, { ...ownGroups, auto: { desc: 'Cheapest first', ratio: 'auto' } })
    show()
    await waitFor(() => expect(calls.some(({ path }) => path.endsWith('groups'))).toBe(true))
    fireEvent.click(await screen.findByRole('button', { name: 'Create token' }))
    const drawer = await screen.findByRole('dialog')
    expect(await within(drawer).findByText('Automatic · Cheapest first')).toBeTruthy()
    fireEvent.change(within(drawer).getByLabelText(/^Name/), { target: { value: 'ci' } })
    fireEvent.click(within(drawer).getByRole('button', { name: 'Create token' }))
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({ group: 'auto' }),
    )
  })

  it('switches a token off and shows it at once', async () => {
    const calls = serve()
    show()
    fireEvent.click(await screen.findByRole('button', { name: 'Disable: laptop' }))
    expect(await screen.findByText('Disabled')).toBeTruthy()
    await waitFor(() =>
      expect(calls).toContainEqual({
        method: 'PUT',
        path: '/api/token/?status_only=true',
        body: { id: 3, status: 2 },
      }),
    )
  })
})

describe('the form of a token', () => {
  it('sends limits as the wire has them', () => {
    const form = {
      ...emptyForm(500_000),
      name: ' ci ',
      models: ['a', 'b'],
      allow_ips: '10.0.0.1, 10.0.0.0/8\n',
    }
    expect(bodyOf(form)).toMatchObject({
      name: 'ci',
      expired_time: -1,
      remain_quota: 500_000,
      model_limits_enabled: true,
      model_limits: 'a,b',
      allow_ips: '10.0.0.1\n10.0.0.0/8',
    })
  })

  it('keeps a record as it is through reading and writing', () => {
    const {
      id: _,
      shown_remain_quota: _shown,
      key,
      status,
      used_quota,
      created_time,
      accessed_time,
      ...written
    } = token
    expect([key, status, used_quota, created_time, accessed_time]).toHaveLength(5)
    expect(bodyOf(formOf(token))).toEqual(written)
  })

  it('leaves room for the suffix in a long name', () => {
    const [first = '', second = ''] = batchNames('n'.repeat(30), 2)
    expect(first).toHaveLength(30)
    expect(second).toMatch(/^n{23}-\w{6}$/)
  })

  it('shows a passed expiry before the server notes it', () => {
    expect(stateOf({ ...token, expired_time: 10 }).key).toBe('expired')
    expect(stateOf({ ...token, status: 2, expired_time: 10 }).key).toBe('disabled')
  })
})
