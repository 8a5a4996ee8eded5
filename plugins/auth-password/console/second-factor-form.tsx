import { Alert, Button, Form, Input } from '@arco-design/web-react'
import { useLocation, useNavigate } from 'react-router-dom'
import {
  api,
  askPasskey,
  Field,
  hasPasskeys,
  type SessionUser,
  takeReturnAddress,
  toast,
  useAction,
  useFactorKinds,
  useSession,
  useTexts,
} from '#console'
import { type ByPassword, useOwnPassword } from './use-own-password.ts'
import { useRefusal } from './use-refusal.tsx'
import './entry.css'

/** The second step of a sign-in, with the factors that the account has. */
export function SecondFactorForm() {
  const t = useTexts('auth-password')
  const { kinds } = useFactorKinds()
  const hasCodes = kinds.includes('totp')
  const hasKeys = kinds.includes('passkey')
  return (
    <>
      {hasKeys && hasPasskeys() ? <PasskeyStep isOnly={!hasCodes} /> : null}
      {hasKeys && !hasCodes && !hasPasskeys() ? (
        <Alert type="warning" content={t('second.noPasskeys')} />
      ) : null}
      {hasCodes && hasKeys && hasPasskeys() ? <p className="sign-in-or">{t('second.or')}</p> : null}
      {hasCodes ? <CodeStep /> : null}
    </>
  )
}

function useEnter(): (user: SessionUser) => Promise<void> {
  const t = useTexts('auth-password')
  const navigate = useNavigate()
  const askForOwn = useOwnPassword()
  // Undefined if the first step was not made with a password.
  const by = useLocation().state as ByPassword | null
  return async (user) => {
    useSession.getState().signIn(user)
    toast.success(t('login.done'))
    await navigate(takeReturnAddress('/token'))
    if (by) await askForOwn(by)
  }
}

function PasskeyStep({ isOnly }: { isOnly: boolean }) {
  const t = useTexts('auth-password')
  const enter = useEnter()
  const [press, isRunning] = useAction(async () => {
    const user = await askPasskey<SessionUser>({
      begin: '/api/user/passkey/login/begin',
      beginBody: { second_factor: true },
      finish: '/api/user/login/passkey',
    })
    if (user) await enter(user)
  })
  return (
    <>
      {isOnly ? <p className="muted">{t('second.passkeyHint')}</p> : null}
      <Button
        type={isOnly ? 'primary' : 'secondary'}
        long
        size="large"
        loading={isRunning}
        onClick={() => void press()}
      >
        {t('second.passkey')}
      </Button>
    </>
  )
}

function CodeStep() {
  const t = useTexts('auth-password')
  const finish = useEnter()
  const { refusal, ask } = useRefusal()
  const [enter, isRunning] = useAction(async ({ code }: { code: string }) => {
    const body = { code: code.trim() }
    const quiet = { isQuiet: true }
    await finish(await ask(() => api.post<SessionUser>('/api/user/login/2fa', body, quiet)))
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
      {refusal}
      <Button type="primary" htmlType="submit" long size="large" loading={isRunning}>
        {t('second.submit')}
      </Button>
    </Form>
  )
}
