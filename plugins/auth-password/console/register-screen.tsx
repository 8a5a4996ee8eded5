import { Alert, Button, Form, Input } from '@arco-design/web-react'
import { Link, useNavigate } from 'react-router-dom'
import {
  api,
  EntryCard,
  Field,
  fieldRule,
  focusFirstFault,
  nameLength,
  NewPassword,
  RepeatedPassword,
  SignInMethods,
  toast,
  useFormAction,
  useBotCheck,
  useSignInMethods,
  useStatus,
  useTexts,
} from '#console'
import { EmailFields } from './email-fields.tsx'
import type { KnownName } from './known-name.ts'
import { inviteCode, useInviteCode } from './use-invite-code.ts'

interface Registration {
  username: string
  password: string
  password2: string
  email?: string
  verification_code?: string
}

export default function RegisterScreen() {
  const t = useTexts('auth-password')
  const status = useStatus()
  const methods = useSignInMethods().filter(({ createsAccounts }) => createsAccounts)
  useInviteCode()
  const isClosed = status?.register_enabled === false
  const isPasswordOff = status?.password_register_enabled === false
  return (
    <EntryCard
      title={t('register.title')}
      footer={
        <span>
          {t('register.haveAccount')} <Link to="/login">{t('login.title')}</Link>
        </span>
      }
    >
      {isClosed ? <Alert type="info" content={t('register.closed')} /> : null}
      {!isClosed && isPasswordOff ? (
        <Alert
          type="info"
          content={t(methods.length > 0 ? 'register.byMethods' : 'register.passwordOff')}
        />
      ) : null}
      {isClosed || isPasswordOff ? null : <RegisterForm />}
      {isClosed ? null : <SignInMethods hasRule={!isPasswordOff} isForNewcomers />}
    </EntryCard>
  )
}

const formId = 'register'
const formPart = () => document.getElementById(formId)

function RegisterForm() {
  const t = useTexts('auth-password')
  const status = useStatus()
  const navigate = useNavigate()
  const [form] = Form.useForm<Registration>()
  const { element, run } = useBotCheck()
  const [register, isRunning] = useFormAction(form, formPart, async (values: Registration) => {
    const body = { ...values, username: values.username.trim(), aff_code: inviteCode() }
    const isDone = await run(async (query) => {
      await api.post('/api/user/register', body, { query })
      return true
    })
    if (!isDone) return
    toast.success(t('register.done'))
    await navigate('/login', { state: { username: body.username } satisfies KnownName })
  })
  return (
    <Form<Registration>
      id={formId}
      form={form}
      layout="vertical"
      requiredSymbol={false}
      onSubmitFailed={() => focusFirstFault(formPart())}
      onSubmit={(values) => void register(values)}
    >
      <AccountFields />
      {status?.['email_verification'] === true ? <EmailFields run={run} /> : null}
      {element}
      <Button type="primary" htmlType="submit" long size="large" loading={isRunning}>
        {t('register.submit')}
      </Button>
    </Form>
  )
}

function AccountFields() {
  const t = useTexts('auth-password')
  return (
    <>
      <Field
        name="username"
        label={t('register.username')}
        isRequired
        rules={[noAddress(t('register.noAt'))]}
      >
        <Input autoComplete="username" maxLength={nameLength.max} size="large" />
      </Field>
      <NewPassword label={t('login.password')} size="large" />
      <RepeatedPassword name="password2" size="large" />
    </>
  )
}

/** `@` belongs to addresses: a name with one could be someone's e-mail. */
function noAddress(message: string) {
  return fieldRule<string>((value) => (value?.includes('@') ? message : undefined))
}
