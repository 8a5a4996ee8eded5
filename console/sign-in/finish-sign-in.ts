import { type SessionUser, useSession } from '../stores/session.ts'

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
