import { useEffect } from 'react'
import { useOwnAccount } from '../api/own-data.ts'
import { useSession } from '../stores/session.ts'

/** Rendered once, in the shell. Whoever was made an admin since the sign-in has the menu and the screens of one as soon as the page is
 *  loaded again. A role that was taken away ends the session, so nothing is to be done for it here. */
export function RoleHost() {
  const renew = useSession((session) => session.renew)
  const { data } = useOwnAccount({ isAskedOnReturn: false })
  useEffect(() => {
    if (data) renew(data)
  }, [data, renew])
  return null
}
