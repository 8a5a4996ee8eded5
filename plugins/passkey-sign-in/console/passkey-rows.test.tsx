import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { useStatusStore } from '#console'
import { pluginTexts } from '../../../console/texts/i18n.ts'
import PasskeyRows from './passkey-rows.tsx'

await pluginTexts('passkey-sign-in')

function show(names: readonly string[], isOn: boolean): void {
  vi.stubGlobal('PublicKeyCredential', vi.fn<() => void>())
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('fetch', async () => {
    const passkeys = names.map((name, id) => ({ id, name, is_backed_up: false, last_used_at: 0 }))
    return Response.json({ success: true, message: '', data: { passkeys } })
  })
  useStatusStore.setState({ status: { passkey_login: isOn } as never })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <PasskeyRows />
    </QueryClientProvider>,
  )
}

afterEach(() => vi.unstubAllGlobals())

describe('the own passkeys', () => {
  it('can be removed where signing in by them is off, and none is added', async () => {
    show(['phone'], false)
    expect(await screen.findByRole('button', { name: 'Delete phone' })).toBeTruthy()
    expect(screen.getByText('1 passkey. It also serves as a second factor.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull()
  })

  it('can be removed and added where it is on', async () => {
    show(['phone'], true)
    expect(await screen.findByRole('button', { name: 'Delete phone' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Add a passkey' })).toBeTruthy()
  })
})
