// The challenges of WebAuthn that are under way: each belongs to one session row, lives five minutes and is used up by the first answer.
import { isObject } from '../contract/json.ts'
import type { SessionHandle } from '../contract/http.ts'

const KEY = 'passkey_challenges'
const LIFETIME_MS = 5 * 60 * 1000
/** Tabs that may be under way at once; the oldest gives way. */
const MOST = 5

/** What the answer is for; an answer to another question counts for nothing. */
export type PasskeyPurpose = 'sign-in' | 'second-factor' | 'register' | 'proof'

interface Challenge {
  challenge: string
  purpose: PasskeyPurpose
  /** Whose passkey is asked for; 0: anybody's. */
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

/** The challenge that the answer names, once. Undefined for one that was made up, belongs to another session, purpose or user, is too old or
 *  was answered already. */
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
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
    const challenge = isObject(data) ? data['challenge'] : undefined
    return typeof challenge === 'string' && challenge !== '' ? challenge : undefined
  } catch {
    return undefined
  }
}

function liveOf(value: unknown, now: number): Challenge[] {
  if (!Array.isArray(value)) return []
  return value.filter(isChallenge).filter(({ startedAtMs }) => now - startedAtMs < LIFETIME_MS)
}

function isChallenge(value: unknown): value is Challenge {
  return isObject(value) && typeof value['challenge'] === 'string'
}
