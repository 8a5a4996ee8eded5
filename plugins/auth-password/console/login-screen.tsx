import { Alert, Button, Form, Input } from '@arco-design/web-react'
import { lazy, Suspense, useMemo } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router-dom'
import {
  api,
  confirm,
  Field,
  focusFirstFault,
  type SessionUser,
  toast,
  useAction,
  useRegistry,
  useSession,
  useStatus,
  useTexts,
} from '#console'
import { EntryCard } from './entry-card.tsx'

interface Credentials {
  username: string
  password: string
}

export default function LoginScreen() {
  const t = useTexts('auth-password')
  const status = useStatus()
  const [search] = useSearchParams()
  const [logIn, isRunning] = useLogIn()
  return (
    <EntryCard title={t('login.title')} footer={<Links />}>
      {search.get('expired') === 'true' ? (
        <Alert type="warning" content={t('login.expired')} />
      ) : null}
      <Form<Credentials>
        id="login"
        layout="vertical"
        requiredSymbol={false}
        onSubmitFailed={() => focusFirstFault(document.getElementById('login'))}
        onSubmit={(credentials) => void logIn(credentials)}
      >
        <Field name="username" label={t('login.username')} isRequired>
          <Input autoComplete="username" autoFocus size="large" />
        </Field>
        <Field name="password" label={t('login.password')} isRequired>
          <Input.Password autoComplete="current-password" size="large" />
        </Field>
        <Button type="primary" htmlType="submit" long size="large" loading={isRunning}>
          {t('login.submit')}
        </Button>
      </Form>
      {status?.password_login_enabled === false ? (
        <p className="muted">{t('login.passwordOff')}</p>
      ) : null}
      <OtherMethods />
    </EntryCard>
  )
}

function useLogIn() {
  const t = useTexts('auth-password')
  const navigate = useNavigate()
  return useAction(async ({ username, password }: Credentials) => {
    const user = await api.post<SessionUser>('/api/user/login', {
      username: username.trim(),
      password,
    })
    useSession.getState().signIn(user)
    toast.success(t('login.done'))
    await navigate('/token')
    if (isOldDefault(username, password)) {
      await confirm({
        title: t('login.defaultTitle'),
        content: t('login.defaultText'),
        confirmLabel: t('login.defaultOk'),
        cancelLabel: t('login.defaultLater'),
        isDanger: true,
      })
    }
  })
}

/** Databases that come from older products may still hold the account they made at their first start. */
function isOldDefault(username: string, password: string): boolean {
  return username.trim() === 'root' && password === '123456'
}

/** What other plugins offer to sign in with; each draws its own button. */
function OtherMethods() {
  const t = useTexts('auth-password')
  const status = useStatus()
  const methods = useRegistry((registry) => registry.signInMethods)
  const enabled = methods.filter((method) => status && method.isEnabled(status))
  const buttons = useMemo(
    () => methods.map((method) => ({ id: method.id, Button: lazy(method.load) })),
    [methods],
  )
  if (enabled.length === 0) return null
  return (
    <div className="entry-methods">
      <p className="entry-or">{t('login.or')}</p>
      <Suspense>
        {buttons
          .filter(({ id }) => enabled.some((method) => method.id === id))
          .map(({ id, Button: MethodButton }) => (
            <MethodButton key={id} />
          ))}
      </Suspense>
    </div>
  )
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
