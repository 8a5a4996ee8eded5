// Pending challenges of WebAuthn.
import { objectIn } from '../contract/json.ts'
import type { SessionHandle } from '../contract/http.ts'
import { Awaited } from './awaited.ts'

/** What the challenge was created for. An answer is only valid for the same purpose. */
export type PasskeyPurpose = 'sign-in' | 'second-factor' | 'register' | 'proof'

interface Challenge {
  challenge: string
  purpose: PasskeyPurpose
  /** The user whose passkey is expected; 0 for any user. */
  userId: number
}

const awaited = new Awaited<'challenge', Challenge>({
  key: 'passkey_challenges',
  field: 'challenge',
  lifetimeMs: 5 * 60 * 1000,
})

export function keepChallenge(session: SessionHandle, challenge: Challenge): Promise<void> {
  return awaited.keep(session, challenge)
}

/** Returns the challenge that the answer names and removes it.
 *  @returns undefined if it is unknown, expired, already used, or belongs to another session, purpose or user */
export async function takeChallenge(
  session: SessionHandle,
  clientDataJSON: string,
  { purpose, userId }: Pick<Challenge, 'purpose' | 'userId'>,
): Promise<string | undefined> {
  const named = objectIn(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))?.['challenge']
  if (typeof named !== 'string') return undefined
  const found = await awaited.take(session, named)
  return found?.purpose === purpose && found.userId === userId ? found.challenge : undefined
}
