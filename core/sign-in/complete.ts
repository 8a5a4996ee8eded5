import type { FastifyRequest } from 'fastify'
import { userStatus } from '../contract/constants.ts'
import type { UserRecord } from '../contract/account-services.ts'
import type { SignInService, SignedInUser } from '../contract/sign-in.ts'
import { requireProof } from '../http/access/proof.ts'
import type { Factors } from './factors.ts'
import { banned, deregistered, factorNeedsSignIn } from './sign-in-errors.ts'

/** Key in the data of an anonymous session: who has passed the first factor, and until when the second may follow. */
const PENDING = 'second_factor'
const PENDING_MS = 5 * 60 * 1000

interface PendingSignIn {
  userId: number
  endsAtMs: number
  /** Fingerprint of the password at that time. A new password makes the pending sign-in invalid, as it ends sessions. */
  passwordMark: string
}

/** Every sign-in ends here, whatever its method, so the checks between knowing the user and opening a session are in
 *  one place. */
export function createSignIn(factors: Factors): SignInService {
  return {
    requireProof,
    async complete(request, reply, user, shownMark) {
      refuseClosed(user)
      const passwordMark = shownMark ?? (await factors.passwordMark(user.id))
      const methods = await factors.kindsOf(user.id)
      if (methods.length > 0) {
        const pending: PendingSignIn = {
          userId: user.id,
          endsAtMs: Date.now() + PENDING_MS,
          passwordMark,
        }
        await request.session.set(PENDING, pending)
        return { require_2fa: true, methods }
      }
      await request.session.signIn(reply, user.id, factors.admission(user.id, passwordMark))
      return toSignedIn(user)
    },
  }
}

/** The user who has passed the first factor in this browser.
 *  @throws second_factor.no_sign_in */
export async function pendingSignInOf(
  { session }: Pick<FastifyRequest, 'session'>,
  factors: Pick<Factors, 'passwordMark'>,
): Promise<Pick<PendingSignIn, 'userId' | 'passwordMark'>> {
  const pending = session.get<PendingSignIn>(PENDING)
  if (!pending || pending.endsAtMs <= Date.now()) throw factorNeedsSignIn()
  if (pending.passwordMark !== (await factors.passwordMark(pending.userId)))
    throw factorNeedsSignIn()
  return pending
}

/** @throws sign_in.deregistered, sign_in.banned */
export function refuseClosed(user: UserRecord): void {
  if (user.DeletedAt !== null) throw deregistered()
  if (user.status !== userStatus.active) throw banned()
}

export function toSignedIn(user: UserRecord): SignedInUser {
  const { id, username, display_name, role, status, group } = user
  return { id, username, display_name, role, status, group }
}
