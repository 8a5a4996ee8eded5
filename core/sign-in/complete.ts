import { userStatus } from '../contract/constants.ts'
import type { UserRecord } from '../contract/account-services.ts'
import type { SignInService, SignedInUser } from '../contract/sign-in.ts'
import { banned, deregistered } from './sign-in-errors.ts'

/** Every sign-in ends here, by whatever method: one place for what comes between knowing who it is and letting in. */
export const signIn: SignInService = {
  async complete(request, reply, user) {
    refuseClosed(user)
    await request.session.signIn(reply, user.id)
    return toSignedIn(user)
  },
}

/** @throws sign_in.deregistered, sign_in.banned */
export function refuseClosed(user: UserRecord): void {
  if (user.DeletedAt !== null) throw deregistered()
  if (user.status !== userStatus.active) throw banned()
}

function toSignedIn(user: UserRecord): SignedInUser {
  const { id, username, display_name, role, status, group } = user
  return { id, username, display_name, role, status, group }
}
