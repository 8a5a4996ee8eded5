import { IconWechat } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import {
  api,
  finishSignIn,
  MethodButton,
  secondFactorPath,
  type SignInAnswer,
  toast,
  useTexts,
} from '#console'
import { CodeDialog } from './code-dialog.tsx'

export default function SignInButton() {
  const t = useTexts('auth-wechat')
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const signIn = async (code: string) => {
    const answer = await api.get<SignInAnswer>('/api/oauth/wechat', { query: { code } })
    if (!finishSignIn(answer)) return navigate(secondFactorPath)
    toast.success(t('signedIn'))
    await navigate('/')
  }
  return (
    <>
      <MethodButton name={t('name')} icon={IconWechat} onPress={() => setOpen(true)} />
      {isOpen ? (
        <CodeDialog
          title={t('signIn')}
          confirmLabel={t('signIn')}
          onCode={signIn}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  )
}
