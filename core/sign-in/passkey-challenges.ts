// Pending challenges of WebAuthn. Each belongs to one session, expires after five minutes and accepts one answer.
import { isObject, objectIn } from '../contract/json.ts'
import type { SessionHandle } from '../contract/http.ts'

const KEY = 'passkey_challenges'
const LIFETIME_MS = 5 * 60 * 1000
/** How many challenges a session may have, for several tabs. A new one replaces the oldest. */
const MOST = 5

/** What the challenge was created for. An answer is only valid for the same purpose. */
export type PasskeyPurpose = 'sign-in' | 'second-factor' | 'register' | 'proof'

interface Challenge {
  challenge: string
  purpose: PasskeyPurpose
  /** The user whose passkey is expected; 0 for any user. */
  userId: number
  startedAtMs: number
}

export async function keepChallenge(
  session: SessionHandle,
  kept: Omit<Challenge, 'startedAtMs'>,
  now = Date.now(),
): Promise<void> {
  const challenge: Challenge = { ...kept, startedAtMs: now }
  await session.change(KEY, (value) => [...liveOf(value, now), challenge].slice(-MOST))
}

/** Returns the challenge that the answer names and removes it.
 *  @returns undefined if it is unknown, expired, already used, or belongs to another session, purpose or user */
export async function takeChallenge(
  session: SessionHandle,
  clientDataJSON: string,
  { purpose, userId }: Pick<Challenge, 'purpose' | 'userId'>,
  now = Date.now(),
): Promise<string | undefined> {
  const named = challengeIn(clientDataJSON)
  if (session.id === null || named === undefined) return undefined
  let found: Challenge | undefined
  await session.change(KEY, (value) => {
    const all = liveOf(value, now)
    found = all.find(({ challenge }) => challenge === named)
    return all.filter((one) => one !== found)
  })
  return found?.purpose === purpose && found.userId === userId ? found.challenge : undefined
}

function challengeIn(clientDataJSON: string): string | undefined {
  const data = objectIn(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
  const challenge = data?.['challenge']
  return typeof challenge === 'string' && challenge !== '' ? challenge : undefined
}

function liveOf(value: unknown, now: number): Challenge[] {
  if (!Array.isArray(value)) return []
  return value.filter(isChallenge).filter(({ startedAtMs }) => now - startedAtMs < LIFETIME_MS)
}

function isChallenge(value: unknown): value is Challenge {
  return isObject(value) && typeof value['challenge'] === 'string'
}
