import { Alert, Spin } from '@arco-design/web-react'
import { useEffect, useRef, useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import {
  ApiError,
  api,
  EntryCard,
  finishSignIn,
  mayAccess,
  messageOf,
  secondFactorPath,
  type SignInAnswer,
  takeReturnAddress,
  textsOf,
  toast,
  useSession,
  useTexts,
} from '#console'
import './entry.css'

/** Long enough to read a sentence. */
const SHOWN_MS = 3000

/** The page to which a provider redirects the browser. It sends code and state to the server and continues. */
export default function CallbackScreen() {
  const t = useTexts('auth-password')
  const { provider = '' } = useParams()
  const fault = useProviderCallback(provider)
  return (
    <EntryCard title={t('callback.title')} footer={null}>
      {fault === undefined ? (
        <div role="status" className="entry-wait">
          <Spin /> {t('callback.running')}
        </div>
      ) : (
        <>
          <Alert type="error" content={fault} />
          <p role="status" className="muted">
            {t('callback.failed')}
          </p>
        </>
      )}
    </EntryCard>
  )
}

/** The failure, if there is one. */
function useProviderCallback(provider: string): string | undefined {
  const navigate = useNavigate()
  const [fault, setFault] = useState<string>()
  const isAsked = useRef(false)
  useEffect(() => {
    // The state is valid once, but React may run an effect twice.
    if (isAsked.current) return
    isAsked.current = true
    finish(provider).then(
      (path) => navigate(path, { replace: true }),
      (error: unknown) => {
        setFault(faultOf(error))
        window.setTimeout(() => void navigate(settingsPath(), { replace: true }), SHOWN_MS)
      },
    )
  }, [provider, navigate])
  return fault
}

/** The server has no such call for a provider whose plugin is off or does not exist. */
function faultOf(error: unknown): string {
  const isUnknown = error instanceof ApiError && error.status === 404
  return isUnknown ? textsOf('auth-password')('callback.unknown') : messageOf(error)
}

/** @returns where to continue */
async function finish(provider: string): Promise<string> {
  const t = textsOf('auth-password')
  const query = Object.fromEntries(new URLSearchParams(window.location.search))
  const path = `/api/oauth/${encodeURIComponent(provider)}`
  const answer = await api.envelope<SignInAnswer>('GET', path, undefined, { query, isQuiet: true })
  if (answer.message === 'bind') {
    toast.success(t('callback.bound'))
    return settingsPath()
  }
  if (!finishSignIn(answer.data)) return secondFactorPath
  toast.success(t('login.done'))
  return takeReturnAddress('/token')
}

/** Admins continue on the settings page, other users on their personal page. A visitor is sent from there to sign
 *  in. */
function settingsPath(): string {
  const { user } = useSession.getState()
  return user && !mayAccess(user, 'options') ? '/personal' : '/setting'
}
