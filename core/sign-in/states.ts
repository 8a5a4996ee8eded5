// The state of a sign-in that is under way: it belongs to one session row, lives ten minutes and is used up by the first callback.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { isObject } from '../contract/json.ts'
import type { SessionHandle } from '../contract/http.ts'
import type { AuthRequest } from '../contract/sign-in.ts'

const KEY = 'oauth_states'
const LIFETIME_MS = 10 * 60 * 1000
/** Tabs that may be under way at once; the oldest gives way. */
const MOST = 5

export interface PendingSignIn {
  state: string
  startedAtMs: number
  /** Empty when the browser builds the provider's address itself, as older consoles do: any provider, no challenge, no nonce. */
  provider: string
  nonce: string
  codeVerifier: string
  redirectUri: string
  /** The invite code that came along. */
  aff: string
  /** Whether the session could bind at the start; the way to the provider may be long. */
  isProved: boolean
}

export type Start = Pick<PendingSignIn, 'provider' | 'redirectUri' | 'aff' | 'isProved'>

export async function startSignIn(
  session: SessionHandle,
  start: Start,
  now = Date.now(),
): Promise<PendingSignIn> {
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

/** The sign-in that the callback belongs to, once. Undefined for a state that was made up, belongs to another session or
 *  provider, is too old or was used already. */
export async function takeSignIn(
  session: SessionHandle,
  { state, provider }: { state: string; provider: string },
  now = Date.now(),
): Promise<PendingSignIn | undefined> {
  if (session.id === null || state === '') return undefined
  let found: PendingSignIn | undefined
  await session.change(KEY, (value) => {
    const all = pendingOf(value, now)
    found = all.find((pending) => isSame(pending.state, state))
    return all.filter((pending) => pending !== found)
  })
  return found && (found.provider === '' || found.provider === provider) ? found : undefined
}

/** What the provider's page is told. */
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

/** 256 bits; as a code verifier long enough for RFC 7636. */
function secret(): string {
  return randomBytes(32).toString('base64url')
}
