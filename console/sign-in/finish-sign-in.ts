import { useNavigate } from 'react-router-dom'
import { toast } from '../kit/toast.ts'
import { create } from 'zustand'
import { type SessionUser, useSession } from '../stores/session.ts'
import { useTexts } from '../texts/use-texts.ts'
import { takeReturnAddress } from './return-address.ts'

/** `totp`: a code of an authenticator, or a recovery code. */
export type FactorKind = 'totp' | 'passkey'

/** The answer to a sign-in: the user, or that a second factor is needed. */
export type SignInAnswer = SessionUser | { require_2fa: true; methods?: readonly FactorKind[] }

/** The factors of the account; all kinds until a sign-in has named them. */
export const useFactorKinds = create<{ kinds: readonly FactorKind[] }>()(() => ({
  kinds: ['totp', 'passkey'],
}))

/** Where the second step of a sign-in is asked for, whatever the first one was. */
export const secondFactorPath = '/login?second_factor=true'

/** Keeps the signed-in user; false: nobody is signed in yet, go on to `secondFactorPath`. */
export function finishSignIn(answer: SignInAnswer): boolean {
  if ('require_2fa' in answer) {
    if (answer.methods) useFactorKinds.setState({ kinds: answer.methods })
    return false
  }
  useSession.getState().signIn(answer)
  return true
}

/** Handles the answer for a sign-in button of a plugin: greets and opens the page where the last session ended, or the start page; or asks for
 *  the second factor. */
export function useSignInAnswer(): (answer: SignInAnswer) => Promise<void> {
  const t = useTexts()
  const navigate = useNavigate()
  return async (answer) => {
    if (!finishSignIn(answer)) return navigate(secondFactorPath)
    toast.success(t('signedIn'))
    await navigate(takeReturnAddress('/'))
  }
}
