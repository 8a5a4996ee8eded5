import { useNavigate } from 'react-router-dom'
import { toast } from '../kit/toast.ts'
import { type SessionUser, useSession } from '../stores/session.ts'
import { useTexts } from '../texts/use-texts.ts'

/** What a sign-in answers: who it is, or that a code of the authenticator is asked for. */
export type SignInAnswer = SessionUser | { require_2fa: true }

/** Where the second step of a sign-in is asked for, whatever the first one was. */
export const secondFactorPath = '/login?second_factor=true'

/** Keeps the signed-in user; false: nobody is signed in yet, go on to `secondFactorPath`. */
export function finishSignIn(answer: SignInAnswer): boolean {
  if ('require_2fa' in answer) return false
  useSession.getState().signIn(answer)
  return true
}

/** What a button of its own does with the answer: greets and goes to the start page, or asks for the second step. */
export function useSignInAnswer(): (answer: SignInAnswer) => Promise<void> {
  const t = useTexts()
  const navigate = useNavigate()
  return async (answer) => {
    if (!finishSignIn(answer)) return navigate(secondFactorPath)
    toast.success(t('signedIn'))
    await navigate('/')
  }
}
