import { Button, Form, Input } from '@arco-design/web-react'
import { useNavigate } from 'react-router-dom'
import { api, Field, type SessionUser, toast, useAction, useSession, useTexts } from '#console'

/** The second step of every sign-in of somebody with an authenticator. */
export function SecondFactorForm() {
  const t = useTexts('auth-password')
  const navigate = useNavigate()
  const [enter, isRunning] = useAction(async ({ code }: { code: string }) => {
    const user = await api.post<SessionUser>('/api/user/login/2fa', { code: code.trim() })
    useSession.getState().signIn(user)
    toast.success(t('login.done'))
    await navigate('/token')
  })
  return (
    <Form<{ code: string }>
      id="second-factor"
      layout="vertical"
      requiredSymbol={false}
      onSubmit={(values) => void enter(values)}
    >
      <p className="muted entry-hint">{t('second.hint')}</p>
      <Field name="code" label={t('second.code')} isRequired>
        <Input autoComplete="one-time-code" autoFocus maxLength={32} size="large" />
      </Field>
      <Button type="primary" htmlType="submit" long size="large" loading={isRunning}>
        {t('second.submit')}
      </Button>
    </Form>
  )
}
