import { IconSafe } from '@arco-design/web-react/icon'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import {
  askPasskey,
  finishSignIn,
  MethodButton,
  type SessionUser,
  stopAskingPasskey,
  takeReturnAddress,
  toast,
  useTexts,
} from '#console'

const calls = {
  begin: '/api/user/passkey/login/begin',
  finish: '/api/user/passkey/login/finish',
}
/** The server's challenge expires a little later. */
const ASK_ANEW_MS = 4 * 60 * 1000

/** Signs in with a passkey instead of name and password. Browsers that support it also offer passkeys in the field
 *  for the name. */
export default function SignInButton() {
  const t = useTexts('passkey-sign-in')
  const navigate = useNavigate()
  const enter = async (user: SessionUser | undefined) => {
    if (!user) return
    finishSignIn(user)
    toast.success(t('signedIn'))
    await navigate(takeReturnAddress('/token'))
  }
  const [round, setRound] = useState(0)
  const press = async () => {
    try {
      await enter(await askPasskey<SessionUser>(calls))
    } finally {
      // The request of the button has ended the one of the field.
      setRound(round + 1)
    }
  }
  return (
    <>
      <MethodButton name={t('name')} icon={IconSafe} onPress={press} />
      <Autofill key={round} onEnter={enter} />
    </>
  )
}

/** While this is rendered, the browser offers passkeys in the field for the name. */
function Autofill({ onEnter }: { onEnter(user: SessionUser | undefined): Promise<void> }) {
  const latest = useRef(onEnter)
  useEffect(() => {
    latest.current = onEnter
  })
  useEffect(() => {
    let isLeft = false
    const offer = async () => {
      if (!(await canAutofill()) || isLeft) return
      const user = await askPasskey<SessionUser>({ ...calls, isAutofill: true })
      if (!isLeft) await latest.current(user)
    }
    const start = () => void offer().catch(() => undefined)
    start()
    const timer = window.setInterval(start, ASK_ANEW_MS)
    return () => {
      isLeft = true
      window.clearInterval(timer)
      void stopAskingPasskey()
    }
  }, [])
  return null
}

async function canAutofill(): Promise<boolean> {
  const known = window.PublicKeyCredential as typeof PublicKeyCredential | undefined
  return (await known?.isConditionalMediationAvailable?.()) === true
}
