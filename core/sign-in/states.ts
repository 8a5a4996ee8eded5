// Pending sign-ins through a provider. Each belongs to one session, expires after ten minutes and accepts one callback.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { isObject } from '../contract/json.ts'
import type { SessionHandle } from '../contract/http.ts'
import type { AuthRequest } from '../contract/sign-in.ts'

const KEY = 'oauth_states'
const LIFETIME_MS = 10 * 60 * 1000
/** How many a session may have, for several tabs. A new one replaces the oldest. */
const MOST = 5

export interface PendingSignIn {
  state: string
  startedAtMs: number
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

export async function startSignIn(session: SessionHandle, start: Start): Promise<PendingSignIn> {
  const now = Date.now()
  const pending: PendingSignIn = {
    ...start,
    state: secret(),
    nonce: secret(),
    codeVerifier: secret(),
    startedAtMs: now,
  }
  await session.change(KEY, (value) => [...pendingOf(value, now), pending].slice(-MOST))
  return pending
}

/** Returns the sign-in that a callback belongs to and removes it.
 *  @returns undefined if the state is unknown, expired, already used, or belongs to another session or provider */
export async function takeSignIn(
  session: SessionHandle,
  { state, provider }: { state: string; provider: string },
): Promise<PendingSignIn | undefined> {
  if (session.id === null || state === '') return undefined
  let found: PendingSignIn | undefined
  await session.change(KEY, (value) => {
    const all = pendingOf(value, Date.now())
    found = all.find((pending) => isSame(pending.state, state))
    return all.filter((pending) => pending !== found)
  })
  return found && (found.provider === '' || found.provider === provider) ? found : undefined
}

/** The parameters for the provider's page. */
export function authRequestOf(pending: PendingSignIn): AuthRequest {
  const { state, nonce, codeVerifier, redirectUri } = pending
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
  return { state, nonce, codeChallenge, redirectUri }
}

function pendingOf(value: unknown, now: number): PendingSignIn[] {
  if (!Array.isArray(value)) return []
  return value.filter(isPending).filter(({ startedAtMs }) => now - startedAtMs < LIFETIME_MS)
}

function isPending(value: unknown): value is PendingSignIn {
  return isObject(value) && typeof value['state'] === 'string'
}

function isSame(known: string, sent: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(known), digest(sent))
}

/** 256 random bits; long enough for a code verifier (RFC 7636). */
function secret(): string {
  return randomBytes(32).toString('base64url')
}
