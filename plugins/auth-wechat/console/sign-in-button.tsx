import { IconWechat } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { api, MethodButton, type SignInAnswer, useSignInAnswer, useTexts } from '#console'
import { CodeDialog } from './code-dialog.tsx'

export default function SignInButton() {
  const t = useTexts('auth-wechat')
  const finish = useSignInAnswer()
  const [isOpen, setOpen] = useState(false)
  const signIn = async (code: string) =>
    finish(await api.get<SignInAnswer>('/api/oauth/wechat', { query: { code } }))
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
