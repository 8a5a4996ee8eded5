import { api } from '../api/client.ts'
import { readStored } from '../stores/storage.ts'

const inviteKey = 'aff'

/** Leads to the provider's page, which leads back to `/oauth/<id>`; the invite code that the visitor came with goes along. */
export async function startSignIn(provider: string): Promise<void> {
  const { authorize_url: address } = await api.envelope<string, { authorize_url?: string }>(
    'GET',
    '/api/oauth/state',
    undefined,
    { query: { provider, aff: readStored(inviteKey) } },
  )
  if (address && /^https?:/.test(address)) window.location.assign(address)
}
