import { Alert, Button, Form, Input } from '@arco-design/web-react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import {
  api,
  EntryCard,
  Field,
  finishSignIn,
  focusFirstFault,
  secondFactorPath,
  type SignInAnswer,
  PasswordInput,
  SignInMethods,
  takeReturnAddress,
  toast,
  useAction,
  useBotCheck,
  useRegistry,
  useStatus,
  useTexts,
} from '#console'
import type { KnownName } from './known-name.ts'
import { SecondFactorForm } from './second-factor-form.tsx'
import { useInviteCode } from './use-invite-code.ts'
import { type ByPassword, useOwnPassword } from './use-own-password.ts'
import { useRefusal } from './use-refusal.tsx'
import './entry.css'

interface Credentials {
  username: string
  password: string
}

export default function LoginScreen() {
  const t = useTexts('auth-password')
  const status = useStatus()
  const [search] = useSearchParams()
  const known = (useLocation().state as KnownName | null)?.username
  const { element, logIn, isRunning, refusal } = useLogIn()
  useInviteCode()
  if (search.get('second_factor') === 'true')
    return (
      <EntryCard title={t('second.title')} footer={<Link to="/login">{t('second.back')}</Link>}>
        <SecondFactorForm />
      </EntryCard>
    )
  return (
    <EntryCard title={t('login.title')} footer={<Links />}>
      {search.get('expired') === 'true' ? (
        <Alert type="warning" content={t('login.expired')} />
      ) : null}
      <Form<Credentials>
        id="login"
        initialValues={{ username: known }}
        layout="vertical"
        requiredSymbol={false}
        onSubmitFailed={() => focusFirstFault(document.getElementById('login'))}
        onSubmit={(credentials) => void logIn(credentials)}
      >
        <Field name="username" label={t('login.username')} isRequired>
          <Input autoComplete="username webauthn" autoFocus={!known} size="large" />
        </Field>
        <Field name="password" label={t('login.password')} isRequired>
          <PasswordInput
            autoComplete="current-password"
            autoFocus={known !== undefined}
            size="large"
          />
        </Field>
        {element}
        {refusal}
        <Button type="primary" htmlType="submit" long size="large" loading={isRunning}>
          {t('login.submit')}
        </Button>
      </Form>
      {status?.password_login_enabled === false ? (
        <p className="muted">{t('login.passwordOff')}</p>
      ) : null}
      <SignInMethods />
    </EntryCard>
  )
}

function useLogIn() {
  const t = useTexts('auth-password')
  const navigate = useNavigate()
  const askForOwn = useOwnPassword()
  const { element, run } = useBotCheck()
  const { refusal, ask } = useRefusal()
  const [logIn, isRunning] = useAction(async ({ username, password }: Credentials) => {
    const body = { username: username.trim(), password }
    const answer = await run((query) =>
      ask(() => api.post<SignInAnswer>('/api/user/login', body, { query, isQuiet: true })),
    )
    if (!answer) return
    const by: ByPassword = { isOldDefault: body.username === 'root' && password === '123456' }
    if (!finishSignIn(answer)) return navigate(secondFactorPath, { state: by })
    toast.success(t('login.done'))
    await navigate(takeReturnAddress('/token'))
    await askForOwn(by)
  })
  return { element, logIn, isRunning, refusal }
}

function Links() {
  const t = useTexts('auth-password')
  const status = useStatus()
  const hasReset = useRegistry((registry) => registry.screens.some(({ path }) => path === '/reset'))
  const canRegister = status?.register_enabled !== false && !status?.self_use_mode_enabled
  return (
    <>
      {canRegister ? (
        <span>
          {t('login.noAccount')} <Link to="/register">{t('register.title')}</Link>
        </span>
      ) : null}
      {hasReset ? <Link to="/reset">{t('login.forgot')}</Link> : null}
    </>
  )
}
