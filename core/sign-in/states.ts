// Pending sign-ins through a provider.
import { createHash, randomBytes } from 'node:crypto'
import type { SessionHandle } from '../contract/http.ts'
import type { AuthRequest } from '../contract/sign-in.ts'
import { Awaited } from './awaited.ts'

export interface PendingSignIn {
  state: string
  /** Empty if the browser builds the provider's address itself, as older consoles do. The state is then valid for any
   *  provider, without challenge and nonce. */
  provider: string
  nonce: string
  codeVerifier: string
  redirectUri: string
  /** The invite code of the link that was opened. */
  aff: string
  /** Whether the caller had proved the identity at the start. The proof may expire before the provider answers. */
  isProved: boolean
}

export type Start = Pick<PendingSignIn, 'provider' | 'redirectUri' | 'aff' | 'isProved'>

const awaited = new Awaited<'state', PendingSignIn>({
  key: 'oauth_states',
  field: 'state',
  lifetimeMs: 10 * 60 * 1000,
})

export async function startSignIn(session: SessionHandle, start: Start): Promise<PendingSignIn> {
  const pending = { ...start, state: secret(), nonce: secret(), codeVerifier: secret() }
  await awaited.keep(session, pending)
  return pending
}

/** Returns the sign-in that a callback belongs to and removes it.
 *  @returns undefined if the state is unknown, expired, already used, or belongs to another session or provider */
export async function takeSignIn(
  session: SessionHandle,
  { state, provider }: { state: string; provider: string },
): Promise<PendingSignIn | undefined> {
  const found = await awaited.take(session, state)
  return found && (found.provider === '' || found.provider === provider) ? found : undefined
}

/** The parameters for the provider's page. */
export function authRequestOf(pending: PendingSignIn): AuthRequest {
  const { state, nonce, codeVerifier, redirectUri } = pending
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
  return { state, nonce, codeChallenge, redirectUri }
}

/** 256 random bits; long enough for a code verifier (RFC 7636). */
function secret(): string {
  return randomBytes(32).toString('base64url')
}
