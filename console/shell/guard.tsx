import { type ReactNode, useEffect } from 'react'
import { createPath, Navigate, useLocation } from 'react-router-dom'
import { keepReturnAddress } from '../sign-in/return-address.ts'
import { type Access, mayAccess, useSession } from '../stores/session.ts'
import { useStatus } from '../stores/status.ts'
import { NotFoundScreen } from './not-found-screen.tsx'

export const expiredAddress = '/login?expired=true'

/** Before the setup only the wizard is reachable, and after it the wizard is not. */
export function SetupGate({ children }: { children: ReactNode }) {
  const status = useStatus()
  const { pathname } = useLocation()
  const isWizard = pathname === '/setup'
  if (status?.setup === false && !isWizard) return <Navigate to="/setup" replace />
  if (status?.setup === true && isWizard) return <Navigate to="/" replace />
  return children
}

/** A screen for users sends visitors to the sign-in page. A screen above the user's role is shown as not found. */
export function Guard({ access, children }: { access: Access; children: ReactNode }) {
  const { user, isExpired, expiredId } = useSession()
  if (mayAccess(user, access)) return children
  if (user) return <NotFoundScreen />
  return (
    <>
      {/* Who has signed out does not want to be back here. */}
      <Return userId={isExpired ? expiredId : undefined} />
      <Navigate to={isExpired ? expiredAddress : '/login'} replace />
    </>
  )
}

function Return({ userId }: { userId: number | undefined }) {
  const path = createPath(useLocation())
  useEffect(
    () => keepReturnAddress(userId === undefined ? undefined : { path, userId }),
    [path, userId],
  )
  return null
}
